/** Compares texts by their UTF-16 code units, so that the order is the same on every machine. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Sorts items by a text of each, and leaves out those whose text occurred before. */
export const sortUnique = <T>(items: Iterable<T>, textOf: (item: T) => string): readonly T[] => {
  const byText = new Map<string, T>()
  for (const item of items) {
    const text = textOf(item)
    if (!byText.has(text)) byText.set(text, item)
  }
  return [...byText].sort(([a], [b]) => compareTexts(a, b)).map(([, item]) => item)
}
