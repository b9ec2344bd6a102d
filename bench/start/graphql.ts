import { execute, parse, validate } from 'graphql'
import { createRequest, GRAPHQL_SCHEMA } from '../contenders/graphql-schema.ts'
import { createMaps } from '../contenders/maps.ts'
import { ME_QUERY, PHOTOS_QUERY } from '../data/expressions.ts'
import type { Prepare } from './start-types.ts'

export const prepare: Prepare = async ({ data, viewer }) => {
  const maps = createMaps(data)
  const result = async (query: string): Promise<unknown> => {
    const document = parse(query)
    const [error] = validate(GRAPHQL_SCHEMA, document)
    if (error !== undefined) throw error
    const contextValue = createRequest(maps, viewer)
    const { data, errors } = await execute({ schema: GRAPHQL_SCHEMA, document, contextValue })
    if (errors?.[0] !== undefined) throw errors[0]
    return data?.me
  }
  return () => ({ getMe: () => result(ME_QUERY), getPhotos: () => result(PHOTOS_QUERY) })
}
