const MOST = 3

/** The largest distance at which a word is near another. */
const FARTHEST = 3

/** Known words that are compared: a schema may have many thousands of names, and a request many names that are wrong. */
const COMPARED = 1000

/** Three rows of distances, which all comparisons with a word share. */
type Rows = readonly [number[], number[], number[]]

/**
 * The number of single-letter edits, swaps of neighbours included, between two words; gives up past `most`. Only the
 * cells within `most` of the diagonal are computed: every other way through the table costs more.
 */
const editDistance = (a: string, b: string, most: number, rows: Rows): number => {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let [beforePrevious, previous, current] = rows
  for (let column = 0; column <= Math.min(b.length, most + 1); column++) previous[column] = column
  let previousLeast = 0
  for (let row = 1; row <= a.length; row++) {
    const first = Math.max(1, row - most)
    const last = Math.min(b.length, row + most)
    current[first - 1] = first === 1 ? row : most + 1
    let least = current[first - 1] ?? 0
    for (let column = first; column <= last; column++) {
      const same = a[row - 1] === b[column - 1]
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const distance = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (beforePrevious[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
      current[column] = distance
      if (distance < least) least = distance
    }
    current[last + 1] = most + 1
    if (least > most && previousLeast > most) return most + 1
    previousLeast = least
    const next = beforePrevious
    beforePrevious = previous
    previous = current
    current = next
  }
  return previous[b.length] ?? 0
}

/** The known words that a misspelt one may have meant, nearest first; at most three, none where nothing is near. */
export const suggest = (word: string, known: Iterable<string>): string[] => {
  const most = Math.min(FARTHEST, Math.floor(word.length / 3) + 1)
  const rows: Rows = [[], [], []]
  const near: (readonly [candidate: string, distance: number])[] = []
  let compared = 0
  for (const candidate of known) {
    if (compared++ === COMPARED) break
    const distance = editDistance(word, candidate, most, rows)
    if (distance <= most) near.push([candidate, distance])
  }
  return near
    .sort(([a, closer], [b, farther]) => closer - farther || (a < b ? -1 : 1))
    .slice(0, MOST)
    .map(([candidate]) => candidate)
}

/** The end of a message that names what may have been meant: empty for nothing. */
export const hintOf = (suggestions: readonly string[]): string =>
  suggestions.length === 0 ? '' : `; did you mean ${suggestions.join(' or ')}?`
