import type { ReadOptions, StoreCapabilities } from '../../store/contract.ts'
import { assertTimely } from '../../store/settle.ts'
import type { Database, DatabaseView, Parameter, Row, Run, Statement } from './database.ts'
import type { PGliteClient, PGliteQueries } from './postgres-client.ts'

const asText = (text: string): string => text

/** The types that statements of the store answer: bool, bigint, int, text and json. */
const PARSERS = Object.freeze({ 16: asText, 20: asText, 23: asText, 25: asText, 114: asText })

const isRow = (row: unknown): row is Row => Array.isArray(row)

const runOn = async (
  client: PGliteQueries,
  { text }: Statement,
  parameters: readonly Parameter[],
): Promise<readonly Row[]> => {
  const { rows } = await client.query(text, [...parameters], { rowMode: 'array', parsers: PARSERS })
  return rows.filter(isRow)
}

/** A database within the process, by PGlite: one connection, which no other can cancel or look beside. */
export class PGliteDatabase implements Database {
  readonly capabilities: StoreCapabilities
  readonly #client: PGliteClient

  constructor(client: PGliteClient) {
    const { dataDir } = client
    const durable = dataDir !== undefined && !dataDir.startsWith('memory://')
    this.capabilities = Object.freeze({ snapshots: false, durable, shared: false, atomicity: 'batch' })
    this.#client = client
  }

  async query(
    statement: Statement,
    parameters: readonly Parameter[],
    options: ReadOptions,
  ): Promise<readonly Row[]> {
    assertTimely(options)
    return await runOn(this.#client, statement, parameters)
  }

  transaction<T>(body: (run: Run) => Promise<T>, options: ReadOptions): Promise<T> {
    return this.#client.transaction(async transaction => {
      const result = await body((statement, parameters) => {
        assertTimely(options)
        return runOn(transaction, statement, parameters)
      })
      assertTimely(options)
      return result
    })
  }

  view(): Promise<DatabaseView> {
    throw new TypeError(
      'expected a store of a pool of connections, came one of PGlite, which has a single one',
    )
  }
}
