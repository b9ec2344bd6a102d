import type { IdKind, NodeId } from '../../base/ids.ts'
import type { SqliteValue } from './connection.ts'

/** The columns of ids in a database. A number of the source of collections, `0`, is before every id of either kind. */
export type SqliteIdColumn = {
  readonly kind: IdKind
  /** The type of the columns. Text is compared by its bytes. */
  readonly type: 'integer' | 'text'
  /** Converts an id to a parameter that is compared with a column. */
  readonly toParameter: (id: NodeId) => SqliteValue
  /** Formats ids as a JSON array, whose items are compared with a column. */
  readonly toJsonArray: (ids: readonly NodeId[]) => string
}

/** The columns of each kind of ids. */
export const ID_COLUMNS: { readonly [kind in IdKind]: SqliteIdColumn } = {
  digits: {
    kind: 'digits',
    type: 'integer',
    toParameter: BigInt,
    // SQLite reads JSON numbers exactly.
    toJsonArray: ids => `[${ids.join()}]`,
  },
  named: { kind: 'named', type: 'text', toParameter: id => id, toJsonArray: ids => JSON.stringify(ids) },
}
