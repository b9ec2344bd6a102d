import type { Session } from '../../base/session.ts'
import { listsOf } from '../model/lists.ts'
import type { ColumnKind, RowFilter, TableColumn, TableModel } from '../model/table-model.ts'
import { isKeyText, isTimestamp, type KeyText, toParameter } from './key-texts.ts'
import { isoToMicros } from './times.ts'

/** A filter whose value comes from the session of a read. */
export type SessionFilter = Extract<RowFilter, { kind: 'session' }>

const INTEGER_KINDS: ReadonlySet<ColumnKind> = new Set(['int2', 'int4', 'int8'])

/** Whether a value has the JavaScript type of a column's values. Integers may be text, because ids are. */
const hasTypeOf = ({ kind }: TableColumn, value: unknown): value is string | number | boolean | bigint => {
  if (typeof value === 'boolean' || kind === 'bool') return typeof value === 'boolean' && kind === 'bool'
  if (typeof value === 'bigint') return INTEGER_KINDS.has(kind) || kind === 'numeric'
  if (typeof value === 'number') return INTEGER_KINDS.has(kind) || kind === 'numeric' || kind === 'float'
  return typeof value === 'string'
}

/**
 * Returns a value as the key text of a column. The session has times in ISO 8601, as the constants of a `where`, and
 * its uuids may have capitals, which other issuers of tokens write.
 */
const toKeyText = (column: TableColumn, value: string | number | boolean | bigint): KeyText | undefined => {
  if (column.kind === 'uuid') return `${value}`.toLowerCase()
  return isTimestamp(column) ? isoToMicros(`${value}`) : `${value}`
}

/** Converts the value of a session filter to a text of its column. Returns undefined if no row matches. */
const toSessionText = (column: TableColumn, value: unknown): KeyText | undefined => {
  const text = hasTypeOf(column, value) ? toKeyText(column, value) : undefined
  return text !== undefined && isKeyText(column, text) ? toParameter(column, text) : undefined
}

/** The session filters of a model, in the order of their values in the parameter of a statement. */
export class SessionFilters {
  readonly #indexes = new Map<SessionFilter, number>()

  constructor(model: TableModel) {
    for (const { filters } of [...model.types.values(), ...listsOf(model)])
      for (const filter of filters)
        if (filter.kind === 'session')
          this.#indexes.set(filter, this.#indexes.get(filter) ?? this.#indexes.size)
  }

  get size(): number {
    return this.#indexes.size
  }

  /** The filters, in the order of their values. */
  get filters(): readonly SessionFilter[] {
    return [...this.#indexes.keys()]
  }

  /** Returns the index of a filter's value. */
  indexOf(filter: SessionFilter): number {
    return this.#indexes.get(filter) ?? -1
  }

  /** Returns the values for a session: texts of the columns, or null if no row matches. */
  valuesOf(session: Session | undefined): readonly (KeyText | null)[] {
    return [...this.#indexes.keys()].map(filter =>
      session === undefined ? null : (toSessionText(filter.column, filter.valueOf(session)) ?? null),
    )
  }
}
