import type { TableModel } from '../model/table-model.ts'
import type { SessionFilters } from '../rows/session-texts.ts'
import type { WantedLayouts } from '../rows/wanted-layouts.ts'
import type { RowStatements } from './row-statements.ts'
import type { StatementValues } from './sql-template.ts'

/** The model, filters and layouts that all reads of a source share. */
export type TableQueryContext = {
  readonly model: TableModel
  readonly sessionFilters: SessionFilters
  readonly layouts: WantedLayouts
}

/** One read on a connection. */
export type TableRead = {
  readonly statements: RowStatements
  /** The values of the session filters. */
  readonly sessionValues: StatementValues
  /** Throws if the call has ended. */
  readonly assertInTime: () => void
}
