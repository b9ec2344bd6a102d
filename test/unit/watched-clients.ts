import type { PostgresPool } from 'kithgraph/postgres'
import type { SqliteDatabase, SqliteStatement } from 'kithgraph/sqlite'

/** A client that records its statements, in order. */
export type WatchedClient<TClient> = { readonly client: TClient; readonly statements: string[] }

/** Whether a statement is not the begin or end of a transaction. */
const isDataStatement = (sql: string): boolean => !/^(begin|commit|rollback)\b/.test(sql)

/** Wraps a connection that records each run of a statement, however often it was prepared. */
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

/** Wraps a pool that records each statement of each of its connections. */
export const watchPool = (pool: PostgresPool): WatchedClient<PostgresPool> => {
  const statements: string[] = []
  const connect: PostgresPool['connect'] = async () => {
    const client = await pool.connect()
    return {
      processID: client.processID,
      query: query => {
        if (isDataStatement(query.text)) statements.push(query.text)
        return client.query(query)
      },
      on: (event, listener) => client.on(event, listener),
      off: (event, listener) => client.off(event, listener),
      release: destroy => client.release(destroy),
    }
  }
  return { client: { connect }, statements }
}
