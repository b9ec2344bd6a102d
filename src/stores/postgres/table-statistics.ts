import type { StoreMutation } from '../../store/mutations.ts'
import { quoteIdentifier } from '../quote-identifier.ts'
import { type Database, UNTIMED_OPTIONS } from './database.ts'

/** The number of written rows after which the statistics are updated. */
const ROWS_PER_UPDATE = 100_000
/** The rows that count as written after a failed update, so that the next update is earlier. */
const ROWS_AFTER_FAILURE = ROWS_PER_UPDATE / 2
/** The maximum time of an update, in milliseconds. */
const UPDATE_TIMEOUT_MS = 10_000

const TABLES = ['nodes', 'edges', 'edge_sources', 'edge_counts']

/**
 * Keeps the statistics of the tables recent while many rows are written. The server does so too, but only
 * about once a minute.
 */
export class TableStatistics {
  readonly #database: Pick<Database, 'query'>
  readonly #sql: string
  #rowsSinceUpdate = 0

  constructor(database: Pick<Database, 'query'>, schema: string) {
    this.#database = database
    this.#sql = `analyze ${TABLES.map(table => `${quoteIdentifier(schema)}.${table}`).join(', ')}`
  }

  /**
   * Counts the rows of a written batch, and updates the statistics after many of them. The update ends at the
   * deadline of the write.
   */
  async addWrite(mutations: readonly StoreMutation[], deadline: number): Promise<void> {
    for (const mutation of mutations) {
      if (mutation.op === 'putNode' || mutation.op === 'deriveEntry') this.#rowsSinceUpdate++
      else if (mutation.op === 'putEdge') this.#rowsSinceUpdate += mutation.mirror === undefined ? 1 : 2
    }
    if (this.#rowsSinceUpdate < ROWS_PER_UPDATE) return
    // Concurrent writes do not update the statistics too.
    this.#rowsSinceUpdate = 0
    const options = { ...UNTIMED_OPTIONS, deadline: Math.min(deadline, Date.now() + UPDATE_TIMEOUT_MS) }
    try {
      await this.#database.query({ text: this.#sql }, [], options)
    } catch {
      // The batch is written already, and the statistics are not necessary. The deadline may have been near,
      // or the role may lack the right.
      this.#rowsSinceUpdate += ROWS_AFTER_FAILURE
    }
  }
}
