/** The number of records that are read or written at once. Their data may be large. */
const PART_SIZE = 100

/** Divides records into parts that are read or written at once. */
export const divide = <TItem>(items: readonly TItem[]): readonly (readonly TItem[])[] =>
  Array.from({ length: Math.ceil(items.length / PART_SIZE) }, (_, index) =>
    items.slice(index * PART_SIZE, (index + 1) * PART_SIZE),
  )
