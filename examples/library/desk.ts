/** Simulates another system, which knows how many copies are on the shelf. The graph does not store this number. */
export const createDesk = (onShelf: { readonly [book: string]: number }) => {
  let calls = 0
  return {
    /** Returns how many copies of each book are on the shelf. */
    countOnShelf: async (books: readonly string[]): Promise<number[]> => {
      calls++
      return books.map(book => onShelf[book] ?? 0)
    },
    countCalls: () => calls,
  }
}

/** The part of the other system that the schema uses. */
export type Desk = Pick<ReturnType<typeof createDesk>, 'countOnShelf'>
