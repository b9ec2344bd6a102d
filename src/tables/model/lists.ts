import type { ListMapping, RowFilter, TableModel } from './table-model.ts'

/** Returns all lists of a model. */
export const listsOf = ({ types, collections }: TableModel): readonly ListMapping[] => [
  ...[...types.values()].flatMap(type => [...type.lists.values()]),
  ...collections.values(),
]

/** Returns the filters of the rows of a list. The rows of a join table are not those of the targets. */
export const rowFiltersOf = ({ isJoin, filters, target }: ListMapping): readonly RowFilter[] =>
  isJoin ? filters : [...filters, ...target.filters]
