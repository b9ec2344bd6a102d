/** Stands for the system at the desk, which knows what is lent; the graph does not keep it twice. */
export const createDesk = (onShelf: { readonly [book: string]: number }) => {
  let asked = 0
  return {
    /** How many copies of each book stand on their shelf. */
    countOnShelf: async (books: readonly string[]): Promise<number[]> => {
      asked++
      return books.map(book => onShelf[book] ?? 0)
    },
    countCalls: () => asked,
  }
}

/** What the schema asks of the desk. */
export type Desk = Pick<ReturnType<typeof createDesk>, 'countOnShelf'>
