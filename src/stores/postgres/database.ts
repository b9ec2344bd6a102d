import type { StoreCapabilities, StoreReadOptions } from '../../store/contract.ts'

export { UNTIMED_OPTIONS } from '../../store/requests.ts'

/** A statement. If it has a name, it is prepared once per connection. */
export type Statement = { readonly text: string; readonly name?: string }

/** A parameter of a statement. */
export type StatementParameter = string | null | readonly (string | number | boolean | null)[]

/** A row: every column as the text that the server sent. */
export type Row = readonly (string | null)[]

/** Runs one statement. */
export type RunStatement = (
  statement: Statement,
  parameters: readonly StatementParameter[],
) => Promise<readonly Row[]>

/**
 * Settings for the statements of a write, all of which select by keys. Without statistics, or in a list that
 * is far longer than the others, Postgres would otherwise scan whole tables.
 */
export const WRITE_SETTINGS =
  'set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off'

/** A view that later transactions do not change. */
export interface DatabaseSnapshot {
  query(
    statement: Statement,
    parameters: readonly StatementParameter[],
    options: StoreReadOptions,
  ): Promise<readonly Row[]>
  close(): Promise<void>
}

/** The functions of Postgres that the store needs, independent of the client. */
export interface Database {
  readonly capabilities: StoreCapabilities
  /** Runs one statement, on a separate connection if the client has several. */
  query(
    statement: Statement,
    parameters: readonly StatementParameter[],
    options: StoreReadOptions,
  ): Promise<readonly Row[]>
  /**
   * Runs the statements of `body` in one READ COMMITTED transaction. If `body` throws, the transaction is
   * rolled back.
   */
  transaction<T>(body: (run: RunStatement) => Promise<T>, options: StoreReadOptions): Promise<T>
  /**
   * Runs the statements of `body` in one read-only READ COMMITTED transaction. A connection whose transaction did not
   * end is destroyed, so that no later call sees its settings.
   */
  readTransaction<T>(body: (run: RunStatement) => Promise<T>, options: StoreReadOptions): Promise<T>
  /** Opens a snapshot. `prepare` runs the first statements of its transaction. */
  openSnapshot(prepare?: (run: RunStatement) => Promise<void>): Promise<DatabaseSnapshot>
}
