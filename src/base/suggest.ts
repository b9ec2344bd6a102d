const MOST = 3

/** The number of single-letter edits, swaps of neighbours included, between two words; gives up past `most`. */
const editDistance = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current[column] = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (beforePrevious[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforePrevious = previous
    previous = current
  }
  return previous[b.length] ?? 0
}

/** The known words that a misspelt one may have meant, nearest first; at most three, none where nothing is near. */
export const suggest = (word: string, known: Iterable<string>): string[] => {
  const most = Math.min(3, Math.floor(word.length / 3) + 1)
  return [...known]
    .map(candidate => [candidate, editDistance(word, candidate, most)] as const)
    .filter(([, distance]) => distance <= most)
    .sort(([a, near], [b, far]) => near - far || (a < b ? -1 : 1))
    .slice(0, MOST)
    .map(([candidate]) => candidate)
}

/** The end of a message that names what may have been meant: empty for nothing. */
export const hintOf = (suggestions: readonly string[]): string =>
  suggestions.length === 0 ? '' : `; did you mean ${suggestions.join(' or ')}?`
