import type { ColumnKind, TableColumn } from '../model/table-model.ts'

/** The kinds whose equal values may have different texts: `1.5` and `1.50`, `a` and `A`. */
const LOOSE_KINDS: ReadonlySet<ColumnKind> = new Set(['citext', 'char', 'numeric', 'float'])

/** Whether equal values of a column may have different texts, and so different ids. */
export const isLoose = ({ kind, isInexact }: TableColumn): boolean => isInexact || LOOSE_KINDS.has(kind)
