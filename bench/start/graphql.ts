import { execute, parse, validate } from 'graphql'
import { createRequest, GRAPHQL_SCHEMA } from '../contenders/graphql-schema.ts'
import { createMaps } from '../contenders/maps.ts'
import { ME_QUERY, PHOTOS_QUERY } from '../data/expressions.ts'
import type { Prepare } from './starting.ts'

export const prepare: Prepare = async ({ data, viewer }) => {
  const maps = createMaps(data)
  const answer = async (query: string): Promise<unknown> => {
    const document = parse(query)
    const [fault] = validate(GRAPHQL_SCHEMA, document)
    if (fault !== undefined) throw fault
    const contextValue = createRequest(maps, viewer)
    const { data, errors } = await execute({ schema: GRAPHQL_SCHEMA, document, contextValue })
    if (errors?.[0] !== undefined) throw errors[0]
    return data?.me
  }
  return () => ({ getMe: () => answer(ME_QUERY), getPhotos: () => answer(PHOTOS_QUERY) })
}
