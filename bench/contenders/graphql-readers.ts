import { type DocumentNode, type ExecutionResult, execute, parse, validate } from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import { ME_QUERY, PHOTOS_QUERY } from '../data/expressions.ts'
import type { SocialData } from '../data/social-data.ts'
import type { SocialReader } from './contender.ts'
import { createRequest, GRAPHQL_SCHEMA, type Request } from './graphql-schema.ts'
import { createMaps, type Maps } from './maps.ts'

type Executor = (request: Request) => ExecutionResult | Promise<ExecutionResult>

const parseDocument = (query: string): DocumentNode => {
  const document = parse(query)
  const [error] = validate(GRAPHQL_SCHEMA, document)
  if (error !== undefined) throw error
  return document
}

const prepareInterpreted = (query: string): Executor => {
  const document = parseDocument(query)
  return contextValue => execute({ schema: GRAPHQL_SCHEMA, document, contextValue })
}

const prepareCompiled = (query: string): Executor => {
  const program = compileQuery(GRAPHQL_SCHEMA, parseDocument(query))
  if (!isCompiledQuery(program)) throw new Error('graphql-jit does not compile the query')
  return request => program.query(undefined, request, {})
}

/** Parses, validates and compiles a query once, as servers with a document cache do. */
const createQueryReader = (maps: Maps, prepare: (query: string) => Executor) => (query: string) => {
  const run = prepare(query)
  return async (viewer: string): Promise<unknown> => {
    const { data, errors } = await run(createRequest(maps, viewer))
    if (errors?.[0] !== undefined) throw errors[0]
    return data?.me
  }
}

const NAMES = { interpreted: 'graphql-js + DataLoader', compiled: 'graphql-jit + DataLoader' }

const createReader = (name: string, data: SocialData, prepare: (query: string) => Executor): SocialReader => {
  const readQuery = createQueryReader(createMaps(data), prepare)
  return { name, getMe: readQuery(ME_QUERY), getPhotos: readQuery(PHOTOS_QUERY) }
}

export const createGraphqlReader = (data: SocialData): SocialReader =>
  createReader(NAMES.interpreted, data, prepareInterpreted)

export const createGraphqlJitReader = (data: SocialData): SocialReader =>
  createReader(NAMES.compiled, data, prepareCompiled)

/** Creates the readers of both GraphQL implementations for one query, each with its name. */
export const createGraphqlQueryReaders = (data: SocialData, query: string) => {
  const maps = createMaps(data)
  return [
    [NAMES.interpreted, createQueryReader(maps, prepareInterpreted)(query)],
    [NAMES.compiled, createQueryReader(maps, prepareCompiled)(query)],
  ] as const
}
