import { BoundedMap } from '../../base/bounded-map.ts'
import type { Session } from '../../base/session.ts'
import type {
  EdgeRecord,
  NodeRecord,
  RangeResult,
  StoreReadRequest,
  StoreReadResult,
} from '../../store/contract.ts'
import type { RunStatement } from '../../stores/postgres/database.ts'
import type { TableModel } from '../model/table-model.ts'
import { createEmptyRange } from '../rows/empty-range.ts'
import { SessionFilters } from '../rows/session-texts.ts'
import { WantedLayouts } from '../rows/wanted-layouts.ts'
import { resultsWithoutRows } from '../table-source.ts'
import { RecordPlans } from './ahead-plans.ts'
import { addChecks, CheckedLists } from './check-parts.ts'
import { addNodes } from './node-parts.ts'
import { ObjectNumbers } from './object-numbers.ts'
import type { PartContext } from './part-context.ts'
import { addRanges } from './range-parts.ts'
import { acceptRows, PartStatements, ReadParts } from './read-parts.ts'

/** A read that is ready to run: its parts, and where their results are put. */
export type PreparedRead = {
  /** Runs the statement of the read, if it has one. */
  readonly run: (run: RunStatement) => Promise<void>
  readonly isEmpty: boolean
  readonly result: StoreReadResult
}

/** The maximum number of plans of ranges that are kept. */
const MAX_PLANS = 1000

/** Turns reads into statements over the tables of a model. */
export class TableReads {
  readonly #context: PartContext
  readonly #statements = new PartStatements()
  readonly #checkedLists = new CheckedLists()

  constructor(model: TableModel) {
    const sessionFilters = new SessionFilters(model)
    const numbers = new ObjectNumbers()
    const records = new RecordPlans({ model, sessionFilters, numbers, layouts: new WantedLayouts() })
    this.#context = {
      model,
      sessionFilters,
      records,
      numbers,
      plans: new BoundedMap(MAX_PLANS),
    }
  }

  /** Whether the rows of a read depend on its session. */
  get areBySession(): boolean {
    return this.#context.sessionFilters.size > 0
  }

  /**
   * Prepares a read: one statement, or none if nothing of the request can exist. Tokens are not read.
   *
   * @throws GraphError `invalid_parameter` for a position that no row of its list can have.
   */
  prepare(request: StoreReadRequest, session: Session | undefined): PreparedRead {
    const nodes: (NodeRecord | undefined)[] = request.nodes.map(() => undefined)
    const ranges: RangeResult[] = request.ranges.map(({ count }) => createEmptyRange(count))
    const checks: (boolean | EdgeRecord)[] = request.checks.map(() => false)
    const readParts = new ReadParts()
    addNodes(this.#context, request, readParts, nodes)
    addRanges(this.#context, request, readParts, ranges)
    addChecks(this.#context, this.#checkedLists, request, readParts, checks)
    const { parts, isEmpty } = readParts
    return {
      isEmpty,
      run: async run => {
        if (isEmpty) return
        const sessionValues = this.#context.sessionFilters.valuesOf(session)
        const { statement, parameters } = this.#statements.get(parts, sessionValues)
        acceptRows(parts, await run(statement, parameters))
      },
      result: { nodes, ranges, checks, ...resultsWithoutRows(request) },
    }
  }
}
