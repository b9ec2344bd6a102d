import type pg from 'pg'
import { TABLE_PHOTOS_QUERY } from '../data/table-reads.ts'
import type { TableRead } from './table-graph.ts'

/** The names under which the query reads keys, which are the types of ids. */
const TYPES: ReadonlySet<string> = new Set(['account', 'photo', 'comment'])

/** Converts keys and times to those of a graph. PostGraphile returns times with microseconds. */
const toGraphEntry = ([name, value]: [string, unknown]): [string, unknown] => {
  if (TYPES.has(name)) return ['id', `${name}-${value}`]
  if (name !== 'created_time') return [name, toGraphResult(value)]
  return [name, `${new Date(`${value}`).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}+0000`]
}

/** Converts a result of the query to that of a graph, to compare both. It is not measured. */
export const toGraphResult = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toGraphResult)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(toGraphEntry))
}

/** Adds what PostGraphile needs of Node 22, because the library is also measured with Node 20. */
const addPromiseWithResolvers = (): void => {
  if ('withResolvers' in Promise) return
  const withResolvers = () => {
    let resolvers = {}
    const promise = new Promise((resolve, reject) => {
      resolvers = { resolve, reject }
    })
    return { promise, ...resolvers }
  }
  Object.defineProperty(Promise, 'withResolvers', { value: withResolvers, configurable: true })
}

/**
 * Creates the function that reads the query for 71 nodes with PostGraphile, over the tables of a pool. It parses the
 * document once, and its plan stays in its cache. It may order by all columns, as its plugin for indexes does not know
 * partial indexes.
 */
export const createPostGraphileReader = async (
  pool: pg.Pool,
): Promise<(read: TableRead) => Promise<unknown>> => {
  // The mode is read at import, and production is the fast one.
  process.env.GRAPHILE_ENV ??= 'production'
  addPromiseWithResolvers()
  const { postgraphile } = await import('postgraphile')
  const { makePgService } = await import('postgraphile/adaptors/pg')
  const { execute, hookArgs } = await import('postgraphile/grafast')
  const { parse, validate } = await import('postgraphile/graphql')
  const { PostGraphileAmberPreset } = await import('postgraphile/presets/amber')
  const { schema, resolvedPreset } = await postgraphile({
    extends: [PostGraphileAmberPreset],
    disablePlugins: ['PgIndexBehaviorsPlugin'],
    pgServices: [makePgService({ pool, schemas: ['social'] })],
  }).getSchemaResult()
  const document = parse(TABLE_PHOTOS_QUERY)
  const [error] = validate(schema, document)
  if (error !== undefined) throw error
  return async ({ account }) => {
    const variableValues = { account: `${account}` }
    const args = await hookArgs({ schema, document, variableValues, resolvedPreset, requestContext: {} })
    const result = await execute(args)
    if (!('data' in result) || result.errors !== undefined)
      throw new Error(`PostGraphile: ${JSON.stringify(result)}`)
    return result.data?.account
  }
}
