import type { NodeId } from '../../base/ids.ts'
import type { DescriptionDifference } from '../introspect/description-differences.ts'

/** One error of a graph over tables. It contains names, numbers and ids, and no values. */
export type TableFinding =
  /** A table that the database does not have. */
  | { readonly kind: 'missingTable'; readonly table: string; readonly usedBy: readonly string[] }
  /** A part of a table that is not as the description says. */
  | { readonly kind: 'changedTable'; readonly difference: DescriptionDifference }
  /** Lists that no index reads as one range, and the statement that creates the index. */
  | { readonly kind: 'missingIndex'; readonly lists: readonly string[]; readonly statement: string }
  /** A list whose order says that its column always has a value, but the column may be NULL. */
  | { readonly kind: 'nullableOrder'; readonly list: string; readonly column: string }
  /** A table that should have row-level security. */
  | { readonly kind: 'missingRowSecurity'; readonly table: string }
  /** Rows that are not in a list, because the value that orders them is too long or not valid. */
  | {
      readonly kind: 'unusableValues'
      readonly list: string
      readonly column: string
      readonly count: number
    }
  /** Rows that are not nodes, because their keys are too long or not valid in an id. */
  | { readonly kind: 'unusableKeys'; readonly type: string; readonly count: number }
  /** Keys that several rows have, of a type or of the join table of an edge. */
  | { readonly kind: 'repeatedKeys'; readonly owner: string; readonly count: number }
  /** Values that a field cannot show, and the id of the first node, or the key of the first row of a join table. */
  | {
      readonly kind: 'badValues'
      /** The type, or the edge of a field of a join table. */
      readonly owner: string
      readonly field: string
      readonly column: string
      readonly count: number
      readonly sampled: number
      readonly example: string
    }
  /** Nodes whose counter is not the number of entries of the list. */
  | {
      readonly kind: 'wrongCounter'
      readonly list: string
      readonly column: string
      readonly ids: readonly NodeId[]
      readonly sampled: number
    }
