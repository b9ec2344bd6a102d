import { usageErrorAbout } from '../../base/usage-error.ts'
import type { StoreCapabilities, StoreReadOptions } from '../../store/contract.ts'
import { assertInTime } from '../../store/settle-in-time.ts'
import {
  type Database,
  type DatabaseSnapshot,
  type Row,
  type RunStatement,
  type Statement,
  type StatementParameter,
  WRITE_SETTINGS,
} from './database.ts'
import type { PGliteClient, PGliteQueryable } from './postgres-client.ts'

const keepText = (text: string): string => text

/** The parsers of the types in results of the store's statements: bool, bigint, int, text and json. */
const TEXT_PARSERS = Object.freeze({ 16: keepText, 20: keepText, 23: keepText, 25: keepText, 114: keepText })

const READ_ONLY = 'set transaction read only'

const isRow = (row: unknown): row is Row => Array.isArray(row)

const runStatement = async (
  client: PGliteQueryable,
  { text }: Statement,
  parameters: readonly StatementParameter[],
): Promise<readonly Row[]> => {
  const { rows } = await client.query(text, [...parameters], { rowMode: 'array', parsers: TEXT_PARSERS })
  return rows.filter(isRow)
}

/**
 * A PGlite database in the process. It has one connection, so statements run one after another and cannot be
 * cancelled.
 */
export class PGliteDatabase implements Database {
  readonly capabilities: StoreCapabilities
  readonly #client: PGliteClient

  constructor(client: PGliteClient) {
    const { dataDir } = client
    const durable = dataDir !== undefined && !dataDir.startsWith('memory://')
    this.capabilities = Object.freeze({
      snapshots: false,
      durable,
      shared: false,
      atomicity: 'batch',
      conditionalWrites: true,
      collections: true,
      readsAhead: true,
    })
    this.#client = client
  }

  async query(
    statement: Statement,
    parameters: readonly StatementParameter[],
    options: StoreReadOptions,
  ): Promise<readonly Row[]> {
    assertInTime(options)
    return await runStatement(this.#client, statement, parameters)
  }

  transaction<T>(body: (run: RunStatement) => Promise<T>, options: StoreReadOptions): Promise<T> {
    return this.#client.transaction(async transaction => {
      await transaction.exec(WRITE_SETTINGS)
      const result = await body((statement, parameters) => {
        assertInTime(options)
        return runStatement(transaction, statement, parameters)
      })
      assertInTime(options)
      return result
    })
  }

  readTransaction<T>(body: (run: RunStatement) => Promise<T>, options: StoreReadOptions): Promise<T> {
    return this.#client.transaction(async transaction => {
      await transaction.exec(READ_ONLY)
      return await body((statement, parameters) => {
        assertInTime(options)
        return runStatement(transaction, statement, parameters)
      })
    })
  }

  openSnapshot(): Promise<DatabaseSnapshot> {
    throw usageErrorAbout(
      'store.snapshot',
      'the client',
      'a Pool of pg',
      'a PGlite, which has a single connection',
    )
  }
}
