import { CommandError } from './command-error.ts'

/** The place of a store. */
export type StoreLocation =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string }
  | RedisLocation

/** The place of a store in Redis. `database` is the number of the database; undefined for the default one. */
export type RedisLocation = {
  readonly kind: 'redis'
  readonly url: string
  readonly isCluster: boolean
  readonly database: string | undefined
}

/** The supported URLs, for the help. */
export const STORE_URL_LINES: readonly string[] = [
  'sqlite:./graph.db                       a file',
  'postgres://user:password@host/database  a database of a Postgres server',
  'redis://user:password@host:6379         a Redis server; rediss: uses TLS',
  'redis+cluster://host:6379               a Redis Cluster, by one of its servers',
]

const SQLITE_PREFIX = /^sqlite:(?:\/\/(?=\/))?/
const CLUSTER_SCHEME = 'redis+cluster:'

/** A URL, and where the user has written it, for errors. */
export type GivenUrl = { readonly text: string; readonly origin: UrlOrigin }

/** Where a URL is from. */
export type UrlOrigin = 'the arguments' | 'the environment variable KITHGRAPH_URL'

const urlProblem = (message: string): CommandError => new CommandError(message, { showsUsage: true })

/** @throws CommandError if the path of the URL is not the number of a database. */
const toRedisLocation = (url: string, isCluster: boolean, origin: UrlOrigin): RedisLocation => {
  const database = new URL(url).pathname.replace(/^\//, '')
  if (isCluster && database !== '')
    throw urlProblem(`the URL in ${origin} must have no path, because it is that of a Redis Cluster`)
  if (/^\d{0,9}$/.test(database))
    return { kind: 'redis', url, isCluster, database: database === '' ? undefined : database }
  throw urlProblem(`the URL in ${origin} must have a path that is the number of a Redis database, such as /3`)
}

/**
 * Parses the URL of a store.
 *
 * @throws CommandError for any other text. The message says where the URL is from. It does not contain the text,
 * which may have a password.
 */
export const parseStoreUrl = ({ text, origin }: GivenUrl): StoreLocation => {
  const path = text.replace(SQLITE_PREFIX, '')
  if (SQLITE_PREFIX.test(text) && path !== '') return { kind: 'sqlite', path }
  switch (URL.canParse(text) ? new URL(text).protocol : undefined) {
    case 'postgres:':
    case 'postgresql:':
      return { kind: 'postgres', url: text }
    case 'redis:':
    case 'rediss:':
      return toRedisLocation(text, false, origin)
    case CLUSTER_SCHEME:
      return toRedisLocation(`redis:${text.slice(CLUSTER_SCHEME.length)}`, true, origin)
  }
  if (SQLITE_PREFIX.test(text))
    throw urlProblem(`the URL in ${origin} must have the path of a file, such as sqlite:./graph.db`)
  throw urlProblem(
    `the URL in ${origin} must begin with sqlite:, postgres:, redis:, rediss: or redis+cluster:`,
  )
}
