/** One statement in the form of a client of `pg`. */
export type PostgresQuery = {
  readonly text: string
  /** With a name, a connection prepares the statement once. */
  readonly name?: string
  readonly values?: unknown[]
  readonly rowMode: 'array'
  readonly types: {
    /** Returns the parser of a type: here, the identity. */
    getTypeParser(): (text: string) => string
  }
}

/** Rows in the form of `rowMode: 'array'`, with every value as the text that the server sent. */
export type PostgresResult = { readonly rows: (string | null)[][] }

/** The required part of a `PoolClient` of `pg`. */
export interface PostgresPoolClient {
  /** The server process of the connection, by which another connection can cancel its statement. */
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

/** The required part of a `Pool` of `pg`. Its owner ends it after the store is closed. */
export interface PostgresPool {
  /** Acquires a connection. */
  connect(): Promise<PostgresPoolClient>
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

/** The required part of a `PGlite` of `@electric-sql/pglite`. Its owner closes it after the store. */
export interface PGliteClient extends PGliteQueryable {
  /** The location of the data; undefined or `memory://…` for in memory. */
  readonly dataDir?: string | undefined
  /** Runs a body as one transaction, alone on the connection. */
  transaction<T>(body: (transaction: PGliteQueryable) => Promise<T>): Promise<T>
}
