/** One statement as a client of `pg` takes it. */
export type PostgresQuery = {
  readonly text: string
  /** Under a name, a connection has the statement prepared once. */
  readonly name?: string
  readonly values?: unknown[]
  readonly rowMode: 'array'
  readonly types: {
    /** What turns the text of a value into it: here, into itself. */
    getTypeParser(): (text: string) => string
  }
}

/** Rows as `rowMode: 'array'` has them, with every value as the text that the server sent. */
export type PostgresRows = { readonly rows: (string | null)[][] }

/** What is needed of a `PoolClient` of `pg`. */
export interface PostgresPoolClient {
  /** The process of the server that serves the connection, by which another one can cancel its statement. */
  readonly processID?: number | null | undefined
  /** Runs one statement. */
  query(query: PostgresQuery): Promise<PostgresRows>
  /** Listens for the loss of the connection. */
  on(event: 'error', listener: (error: Error) => void): unknown
  /** Ends that. */
  off(event: 'error', listener: (error: Error) => void): unknown
  /** Gives the connection back, or ends it where it is not to be used again. */
  release(destroy?: boolean): void
}

/** What is needed of a `Pool` of `pg`. It stays its owner's, who ends it after the store was closed. */
export interface PostgresPool {
  /** Lends a connection. */
  connect(): Promise<PostgresPoolClient>
}

/** What is needed of a transaction of PGlite, and of PGlite itself. */
export interface PGliteQueries {
  /** Runs one statement with parameters. */
  query(
    text: string,
    values: unknown[],
    options: { rowMode: 'array'; parsers: { [type: number]: (text: string) => string } },
  ): Promise<{ rows: unknown[] }>
  /** Runs statements that answer nothing. */
  exec(text: string): Promise<unknown>
}

/** What is needed of a `PGlite` of `@electric-sql/pglite`. It stays its owner's, who closes it after the store. */
export interface PGliteClient extends PGliteQueries {
  /** Where the data is kept; undefined or `memory://…` for in memory. */
  readonly dataDir?: string | undefined
  /** Runs a body as one transaction, alone on the connection. */
  transaction<T>(body: (transaction: PGliteQueries) => Promise<T>): Promise<T>
}
