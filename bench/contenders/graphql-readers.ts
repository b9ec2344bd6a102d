import { type DocumentNode, type ExecutionResult, execute, parse, validate } from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import { ME_QUERY, PHOTOS_QUERY } from '../data/expressions.ts'
import type { SocialData } from '../data/social-data.ts'
import type { SocialReader } from './contender.ts'
import { createRequest, GRAPHQL_SCHEMA, type Request } from './graphql-schema.ts'
import { createMaps } from './maps.ts'

type Executor = (request: Request) => ExecutionResult | Promise<ExecutionResult>

const documentOf = (query: string): DocumentNode => {
  const document = parse(query)
  const [error] = validate(GRAPHQL_SCHEMA, document)
  if (error !== undefined) throw error
  return document
}

const interpreted = (query: string): Executor => {
  const document = documentOf(query)
  return contextValue => execute({ schema: GRAPHQL_SCHEMA, document, contextValue })
}

const compiled = (query: string): Executor => {
  const program = compileQuery(GRAPHQL_SCHEMA, documentOf(query))
  if (!isCompiledQuery(program)) throw new Error('graphql-jit does not compile the query')
  return request => program.query(undefined, request, {})
}

/** Queries are parsed, checked and compiled once, as servers with a cache of documents do. */
const createReader = (name: string, data: SocialData, prepare: (query: string) => Executor): SocialReader => {
  const maps = createMaps(data)
  const reader = (query: string) => {
    const run = prepare(query)
    return async (viewer: string): Promise<unknown> => {
      const { data, errors } = await run(createRequest(maps, viewer))
      if (errors?.[0] !== undefined) throw errors[0]
      return data?.me
    }
  }
  return { name, getMe: reader(ME_QUERY), getPhotos: reader(PHOTOS_QUERY) }
}

export const createGraphqlReader = (data: SocialData): SocialReader =>
  createReader('graphql-js + DataLoader', data, interpreted)

export const createGraphqlJitReader = (data: SocialData): SocialReader =>
  createReader('graphql-jit + DataLoader', data, compiled)
