import { CommandError } from './command-error.ts'

/** The place of a store. */
export type StoreLocation =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string }
  | { readonly kind: 'redis'; readonly url: string; readonly isCluster: boolean }

/** The supported URLs, for the help. */
export const STORE_URL_LINES: readonly string[] = [
  'sqlite:./graph.db                       a file',
  'postgres://user:password@host/database  a database of a Postgres server',
  'redis://user:password@host:6379         a Redis server; rediss: uses TLS',
  'redis+cluster://host:6379               a Redis Cluster, by one of its servers',
]

const SQLITE_PREFIX = /^sqlite:(?:\/\/(?=\/))?/
const CLUSTER_SCHEME = 'redis+cluster:'

/**
 * Parses the URL of a store.
 *
 * @throws CommandError for any other text. The message does not contain the text, which may have a password.
 */
export const parseStoreUrl = (text: string): StoreLocation => {
  const path = text.replace(SQLITE_PREFIX, '')
  if (SQLITE_PREFIX.test(text) && path !== '') return { kind: 'sqlite', path }
  switch (URL.canParse(text) ? new URL(text).protocol : undefined) {
    case 'postgres:':
    case 'postgresql:':
      return { kind: 'postgres', url: text }
    case 'redis:':
    case 'rediss:':
      return { kind: 'redis', url: text, isCluster: false }
    case CLUSTER_SCHEME:
      return { kind: 'redis', url: `redis:${text.slice(CLUSTER_SCHEME.length)}`, isCluster: true }
  }
  throw new CommandError(
    'the URL of a store must begin with sqlite:, postgres:, redis:, rediss: or redis+cluster:',
    { showsUsage: true },
  )
}
