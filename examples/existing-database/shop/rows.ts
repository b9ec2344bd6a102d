/** A value of a column. Times, days, UUIDs and JSON are texts. */
export type Value = string | number | null

/** The rows of a table. Each row has one value for each of the columns. */
export type TableRows = {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Value[])[]
}

/** Creates `count` rows, with the keys 1, 2, 3 and so on. */
export const createRows = <TRow extends readonly Value[]>(
  count: number,
  create: (key: number) => TRow,
): TRow[] => Array.from({ length: count }, (_, index) => create(index + 1))
