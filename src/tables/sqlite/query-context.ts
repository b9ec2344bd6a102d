import type { TableModel } from '../model/table-model.ts'
import type { SessionFilters } from '../rows/session-texts.ts'
import type { WantedLayouts } from '../rows/wanted-layouts.ts'
import type { RowStatements } from './row-statements.ts'
import type { StatementValues } from './sql-template.ts'

/** What all reads of a source share. */
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

/** Values that are created once for a key, and live as long as the key. */
export class Memo<TKey extends object, TValue> {
  readonly #values = new WeakMap<TKey, TValue>()

  /** Returns the value of a key. */
  get(key: TKey, create: () => TValue): TValue {
    const existing = this.#values.get(key)
    if (existing !== undefined) return existing
    const created = create()
    this.#values.set(key, created)
    return created
  }
}
