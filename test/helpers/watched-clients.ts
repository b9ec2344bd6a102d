import type { PostgresPool, PostgresPoolClient, PostgresQuery } from 'kithgraph/postgres'
import type { SqliteDatabase, SqliteStatement } from 'kithgraph/sqlite'
import type pg from 'pg'

/** A client that records its statements, in order. */
export type WatchedClient<TClient> = { readonly client: TClient; readonly statements: string[] }

/** Whether a statement is not the begin or end of a transaction. */
const isDataStatement = (sql: string): boolean => !/^(begin|commit|rollback|savepoint|release)\b/.test(sql)

/** Wraps a connection. Records each run of a statement, even if it was prepared only once. */
export const watchDatabase = (database: SqliteDatabase): WatchedClient<SqliteDatabase> => {
  const statements: string[] = []
  const watch = (sql: string, statement: SqliteStatement): SqliteStatement => {
    const record = () => void (isDataStatement(sql) && statements.push(sql))
    return {
      get: (...values) => {
        record()
        return statement.get(...values)
      },
      run: (...values) => {
        record()
        return statement.run(...values)
      },
    }
  }
  const client: SqliteDatabase = {
    prepare: sql => watch(sql, database.prepare(sql)),
    exec: sql => database.exec(sql),
    close: () => database.close(),
  }
  return { client, statements }
}

/** Creates a pool from a function that connects. */
export const createPool = (connect: () => Promise<PostgresPoolClient>): PostgresPool => ({
  connect: callback => {
    connect().then(
      client => callback(undefined, client),
      error => callback(error, undefined),
    )
  },
})

/** Wraps a pool. Calls a function with each query of each of its connections. */
export const observePool = (pool: pg.Pool, onQuery: (query: PostgresQuery) => void): PostgresPool =>
  createPool(async () => {
    const connection: PostgresPoolClient = await pool.connect()
    return {
      processID: connection.processID,
      query: query => {
        onQuery(query)
        return connection.query(query)
      },
      on: (event, listener) => connection.on(event, listener),
      off: (event, listener) => connection.off(event, listener),
      release: destroy => connection.release(destroy),
    }
  })

/** Wraps a pool. Records each statement of each of its connections, by default those about data. */
export const watchPool = (
  pool: pg.Pool,
  isRecorded: (sql: string) => boolean = isDataStatement,
): WatchedClient<PostgresPool> => {
  const statements: string[] = []
  const client = observePool(pool, ({ text }) => {
    if (isRecorded(text)) statements.push(text)
  })
  return { client, statements }
}
