import type { PostgresPool, PostgresPoolClient } from './postgres-client.ts'

/**
 * Ignores the loss of a connection, since its statement fails too. Without a listener, the event would end
 * the process.
 */
const ignoreError = (): void => {}

/** A client acquired from a pool, to be released once. */
export type AcquiredClient = {
  readonly client: PostgresPoolClient
  readonly release: (destroy?: boolean) => void
}

export const acquireClient = async (pool: PostgresPool): Promise<AcquiredClient> => {
  const client = await pool.connect()
  client.on('error', ignoreError)
  const release = (destroy = false): void => {
    client.off('error', ignoreError)
    client.release(destroy)
  }
  return { client, release }
}

/** Returns every value as text, regardless of the client's parsers, since ids do not fit into JS numbers. */
export const TEXT_PARSERS = Object.freeze({ getTypeParser: () => (text: string) => text })
