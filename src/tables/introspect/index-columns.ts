import type { IndexDescription } from '../description/database-description.ts'

/** A column of an index that is in the order of its values. */
export type IndexColumn = { readonly name: string; readonly isDescending: boolean }

/** Describes an index by the columns that it begins with. Returns undefined if there are none. */
export const toIndexDescription = (
  columns: readonly IndexColumn[],
  where: string | undefined,
): IndexDescription | undefined => {
  if (columns.length === 0) return undefined
  const descending = columns.filter(({ isDescending }) => isDescending).map(({ name }) => name)
  return {
    columns: columns.map(({ name }) => name),
    ...(descending.length > 0 && { descending }),
    ...(where !== undefined && { partial: true, where }),
  }
}
