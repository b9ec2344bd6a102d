import { usageError, usageErrorAbout } from '../../base/usage-error.ts'
import type {
  StoreReadOptions,
  StoreReadRequest,
  StoreReadResult,
  StoreSnapshot,
} from '../../store/contract.ts'
import { UNTIMED_OPTIONS } from '../../store/requests.ts'
import { assertInTime } from '../../store/settle-in-time.ts'
import {
  createTransactions,
  isInMemory,
  type SqliteDatabase,
  setBusyTimeout,
  type Transactions,
} from '../../stores/sqlite/connection.ts'
import { SnapshotPool } from '../../stores/sqlite/snapshot-pool.ts'
import type { TableModel } from '../model/table-model.ts'
import { SessionFilters } from '../rows/session-texts.ts'
import { WantedLayouts } from '../rows/wanted-layouts.ts'
import { resultsWithoutRows, type TableSource } from '../table-source.ts'
import { CheckQueries } from './check-queries.ts'
import { NodeQueries } from './node-queries.ts'
import type { TableQueryContext, TableRead } from './query-context.ts'
import { RangeQueries } from './range-queries.ts'
import { sessionParameter } from './row-sql.ts'
import { RowStatements } from './row-statements.ts'
import { NULL_VALUE, type StatementValues, toBinding } from './sql-template.ts'

/** The options of a source over SQLite. */
export type SqliteSourceOptions = {
  readonly model: TableModel
  /** Opens another connection to the same database, for a snapshot. */
  readonly connect: (() => SqliteDatabase) | undefined
}

/** The queries of a model, on any connection. */
class TableQueries {
  readonly #context: TableQueryContext
  readonly #nodes: NodeQueries
  readonly #ranges: RangeQueries
  readonly #checks: CheckQueries

  constructor(model: TableModel) {
    this.#context = { model, sessionFilters: new SessionFilters(model), layouts: new WantedLayouts() }
    this.#nodes = new NodeQueries(this.#context)
    this.#ranges = new RangeQueries(this.#context)
    this.#checks = new CheckQueries(this.#context)
  }

  get areBySession(): boolean {
    return this.#context.sessionFilters.size > 0
  }

  /** Executes a request without its tokens. The connection is in a transaction if that is necessary. */
  read(request: StoreReadRequest, statements: RowStatements, options: StoreReadOptions): StoreReadResult {
    const { nodes, ranges, checks, fields } = request
    const read: TableRead = {
      statements,
      sessionValues: this.#sessionValuesOf(options),
      assertInTime: () => assertInTime(options),
    }
    return {
      nodes: nodes.map(id => this.#nodes.read(id, fields, read)),
      ranges: ranges.map(range => this.#ranges.read(range, fields, read)),
      checks: checks.map(check => this.#checks.read(check, read)),
      ...resultsWithoutRows(request),
    }
  }

  #sessionValuesOf({ session }: StoreReadOptions): StatementValues {
    const { sessionFilters } = this.#context
    const texts = sessionFilters.valuesOf(session)
    return Object.fromEntries(
      sessionFilters.filters.map(({ column }, index) => {
        const text = texts[index] ?? null
        return [sessionParameter(index), text === null ? NULL_VALUE : toBinding(column, text)]
      }),
    )
  }
}

/** Reads one connection, each request on one state of the database. */
const createReader = (database: SqliteDatabase, queries: TableQueries, transactions?: Transactions) => {
  const statements = new RowStatements(database)
  return (request: StoreReadRequest, options: StoreReadOptions = UNTIMED_OPTIONS): StoreReadResult => {
    const read = () => queries.read(request, statements, options)
    return transactions === undefined ? read() : transactions.runRead(read)
  }
}

type Reader = ReturnType<typeof createReader>

const createSnapshot = (pool: SnapshotPool<Reader>): StoreSnapshot => {
  const connection = pool.acquire()
  let isClosed = false
  return {
    read: (request, options) => {
      if (isClosed) throw usageErrorAbout('snapshot.read', 'the snapshot', 'open', 'a closed snapshot')
      return connection.view(request, options)
    },
    close: () => {
      isClosed = true
      pool.release(connection)
    },
  }
}

/** Creates the source of the tables of a SQLite database. All its methods are synchronous. */
export const createSqliteSource = (
  database: SqliteDatabase,
  { model, connect }: SqliteSourceOptions,
): TableSource => {
  const queries = new TableQueries(model)
  setBusyTimeout(database)
  const read = createReader(database, queries, createTransactions(database))
  const pool =
    connect &&
    new SnapshotPool(database, connect, opened => {
      setBusyTimeout(opened)
      return createReader(opened, queries)
    })
  const hasFile = !isInMemory(database)
  return {
    capabilities: {
      snapshots: pool !== undefined,
      durable: hasFile,
      shared: hasFile,
      readsAhead: false,
      conditions: true,
      bySession: queries.areBySession,
    },
    read,
    snapshot: () => {
      if (pool === undefined)
        throw usageError('createTableStore', 'connect', 'given for a snapshot', 'undefined')
      return createSnapshot(pool)
    },
    close: () => pool?.close(),
  }
}
