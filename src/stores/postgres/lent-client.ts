import type { PostgresPool, PostgresPoolClient } from './postgres-client.ts'

/** A lost connection makes its statement fail as well; without a listener, the event would end the process. */
const ignore = (): void => {}

/** A client lent by a pool, to be given back once. */
export type LentClient = {
  readonly client: PostgresPoolClient
  readonly giveBack: (destroy?: boolean) => void
}

export const lendClient = async (pool: PostgresPool): Promise<LentClient> => {
  const client = await pool.connect()
  client.on('error', ignore)
  const giveBack = (destroy = false): void => {
    client.off('error', ignore)
    client.release(destroy)
  }
  return { client, giveBack }
}

/** Every value as text, whatever parsers the client was given: ids are no JS numbers. */
export const AS_TEXT = Object.freeze({ getTypeParser: () => (text: string) => text })
