import type { ReadOptions, StoreCapabilities } from '../../store/contract.ts'

/** One statement; those with a name are prepared once a connection. */
export type Statement = { readonly text: string; readonly name?: string }

/** What a parameter of a statement may be. */
export type Parameter = string | readonly (string | number | boolean | null)[]

/** A row: every column as the text that the server sent. */
export type Row = readonly (string | null)[]

/** Runs one statement. */
export type Run = (statement: Statement, parameters: readonly Parameter[]) => Promise<readonly Row[]>

/** For what has to end by itself. */
export const PATIENT: ReadOptions = Object.freeze({
  signal: undefined,
  deadline: undefined,
  atLeast: undefined,
})

/** A view that later transactions do not change. */
export interface DatabaseView {
  query(statement: Statement, parameters: readonly Parameter[], options: ReadOptions): Promise<readonly Row[]>
  close(): Promise<void>
}

/** What the store needs of Postgres, whichever client talks to it. */
export interface Database {
  readonly capabilities: StoreCapabilities
  /** Runs one statement on a connection of its own, as far as there are any. */
  query(statement: Statement, parameters: readonly Parameter[], options: ReadOptions): Promise<readonly Row[]>
  /** Runs what `body` runs in one transaction, READ COMMITTED: all of it, or none where something is thrown. */
  transaction<T>(body: (run: Run) => Promise<T>, options: ReadOptions): Promise<T>
  view(): Promise<DatabaseView>
}
