import type { PostgresPool } from 'kithgraph/postgres'
import type { SqliteDatabase, SqliteStatement } from 'kithgraph/sqlite'

/** A client that notes what it is handed, in order. */
export type Watched<TClient> = { readonly client: TClient; readonly statements: string[] }

/** What begins and ends a transaction asks nothing. */
const asks = (sql: string): boolean => !/^(begin|commit|rollback)\b/.test(sql)

/** A connection that notes each statement that runs, however often it was prepared. */
export const watchDatabase = (database: SqliteDatabase): Watched<SqliteDatabase> => {
  const statements: string[] = []
  const watch = (sql: string, statement: SqliteStatement): SqliteStatement => {
    const note = () => void (asks(sql) && statements.push(sql))
    return {
      get: (...values) => {
        note()
        return statement.get(...values)
      },
      run: (...values) => {
        note()
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

/** A pool that notes each statement of each of its connections. */
export const watchPool = (pool: PostgresPool): Watched<PostgresPool> => {
  const statements: string[] = []
  const connect: PostgresPool['connect'] = async () => {
    const client = await pool.connect()
    return {
      processID: client.processID,
      query: query => {
        if (asks(query.text)) statements.push(query.text)
        return client.query(query)
      },
      on: (event, listener) => client.on(event, listener),
      off: (event, listener) => client.off(event, listener),
      release: destroy => client.release(destroy),
    }
  }
  return { client: { connect }, statements }
}
