/** A statement in the form that a client of `pg` accepts. */
export type PostgresQuery = {
  readonly text: string
  /** If present, a connection prepares the statement once. */
  readonly name?: string
  readonly values?: unknown[]
  readonly rowMode: 'array'
  readonly types: {
    /** Returns the parser of a type: a function that returns the text unchanged. */
    getTypeParser(): (text: string) => string
  }
}

/** Rows in the form of `rowMode: 'array'`, with every value as the text that the server sent. */
export type PostgresResult = { readonly rows: (string | null)[][] }

/** The required part of a `PoolClient` of `pg`. */
export interface PostgresPoolClient {
  /** The id of the server process of the connection. Another connection needs it to cancel a statement. */
  readonly processID?: number | null | undefined
  /** Runs one statement. */
  query(query: PostgresQuery): Promise<PostgresResult>
  /** Listens for the loss of the connection. */
  on(event: 'error', listener: (error: Error) => void): unknown
  /** Removes the listener. */
  off(event: 'error', listener: (error: Error) => void): unknown
  /** Releases the connection, or destroys it if it must not be used again. */
  release(destroy?: boolean): void
}

/** The required part of a `Pool` of `pg`. End the pool after you have closed the store. */
export interface PostgresPool {
  /** Acquires a connection, and passes it or an error to the callback. */
  connect(callback: (error: Error | undefined, client: PostgresPoolClient | undefined) => void): void
}

/** The required part of a transaction of PGlite, and of PGlite itself. */
export interface PGliteQueryable {
  /** Runs one statement with parameters. */
  query(
    text: string,
    values: unknown[],
    options: { rowMode: 'array'; parsers: { [type: number]: (text: string) => string } },
  ): Promise<{ rows: unknown[] }>
  /** Runs statements without results. */
  exec(text: string): Promise<unknown>
}

/** The required part of a `PGlite` of `@electric-sql/pglite`. Close it after you have closed the store. */
export interface PGliteClient extends PGliteQueryable {
  /** The location of the data; undefined or `memory://…` if the data is only in memory. */
  readonly dataDir?: string | undefined
  /** Runs `body` as one transaction. No other statement runs before it ends. */
  transaction<T>(body: (transaction: PGliteQueryable) => Promise<T>): Promise<T>
}
