import type { IdKind } from '../../base/ids.ts'

/**
 * The SQL of ids in a schema. A number of the source of collections, `0`, is before every id of either kind. Ids are
 * text in parameters and rows.
 */
export type IdColumn = {
  readonly kind: IdKind
  /** The type of a column, of a parameter and of an item. */
  readonly type: string
  /** The type of a parameter that is an array of ids. */
  readonly arrayType: string
}

/**
 * The columns of each kind of ids. Named ids are ordered by bytes everywhere, also before they are compared with a
 * column: writers that locked rows in different orders could deadlock.
 */
export const ID_COLUMNS: { readonly [kind in IdKind]: IdColumn } = {
  digits: { kind: 'digits', type: 'bigint', arrayType: 'bigint[]' },
  named: { kind: 'named', type: 'text collate "C"', arrayType: 'text[] collate "C"' },
}
