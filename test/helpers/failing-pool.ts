import type { PostgresPool, PostgresPoolClient } from 'kithgraph/postgres'
import type pg from 'pg'
import { createPool } from './watched-clients.ts'

/** How a statement fails: before it is sent, by the loss of its connection, or in the server. */
export type StatementFailure = 'error' | 'loss' | 'server'

/** A pool of which one statement fails. */
export type FailingPool = PostgresPool & {
  /** Lets a statement from now on fail, the next one with 1. */
  failAt(statement: number, failure: StatementFailure): void
  /** Lets no statement fail. */
  stopFailing(): void
}

/** Wraps a pool. `admin` ends the connections that are lost. */
export const createFailingPool = (pool: pg.Pool, admin: pg.Pool): FailingPool => {
  let untilFailure = Number.POSITIVE_INFINITY
  let failure: StatementFailure = 'error'
  const run = async (client: pg.PoolClient, query: pg.QueryConfig) => {
    if (--untilFailure !== 0) return client.query(query)
    if (failure === 'error') throw new Error('injected')
    if (failure === 'server') return client.query('select 1 / 0')
    await admin.query('select pg_terminate_backend($1)', [Reflect.get(client, 'processID')])
    return client.query(query)
  }
  const connect = async (): Promise<PostgresPoolClient> => {
    const client = await pool.connect()
    return {
      processID: Reflect.get(client, 'processID'),
      query: query => run(client, query),
      on: (event, listener) => client.on(event, listener),
      off: (event, listener) => client.off(event, listener),
      release: destroy => client.release(destroy),
    }
  }
  return {
    ...createPool(connect),
    failAt: (statement, how) => {
      untilFailure = statement
      failure = how
    },
    stopFailing: () => {
      untilFailure = Number.POSITIVE_INFINITY
    },
  }
}
