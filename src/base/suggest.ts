import { describeValue } from './describe.ts'

const MAX_SUGGESTIONS = 3

/** The maximum edit distance of a suggestion. */
const MAX_EDIT_DISTANCE = 3

/**
 * The maximum number of words that are compared. A schema may have thousands of names, and a request may
 * contain many unknown names.
 */
const MAX_COMPARED_WORDS = 1000

/** Three rows of the table of distances, which all comparisons with a word reuse. */
type DistanceRows = readonly [number[], number[], number[]]

/**
 * Returns the edit distance of two words: the number of letters to insert, delete, replace or swap with a
 * neighbor. If it is above `maxDistance`, returns `maxDistance + 1`. Only the cells of the table within this
 * distance of the diagonal are computed.
 */
const computeEditDistance = (a: string, b: string, maxDistance: number, rows: DistanceRows): number => {
  if (Math.abs(a.length - b.length) > maxDistance) return maxDistance + 1
  let [beforePrevious, previous, current] = rows
  for (let column = 0; column <= Math.min(b.length, maxDistance + 1); column++) previous[column] = column
  let previousRowMinimum = 0
  for (let row = 1; row <= a.length; row++) {
    const firstColumn = Math.max(1, row - maxDistance)
    const lastColumn = Math.min(b.length, row + maxDistance)
    current[firstColumn - 1] = firstColumn === 1 ? row : maxDistance + 1
    let rowMinimum = current[firstColumn - 1] ?? 0
    for (let column = firstColumn; column <= lastColumn; column++) {
      const isSame = a[row - 1] === b[column - 1]
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const distance = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforePrevious[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
      current[column] = distance
      if (distance < rowMinimum) rowMinimum = distance
    }
    current[lastColumn + 1] = maxDistance + 1
    if (rowMinimum > maxDistance && previousRowMinimum > maxDistance) return maxDistance + 1
    previousRowMinimum = rowMinimum
    const nextRow = beforePrevious
    beforePrevious = previous
    previous = current
    current = nextRow
  }
  return previous[b.length] ?? 0
}

/** Returns at most three known words that are similar to a misspelled word, the most similar first. */
export const suggestWords = (word: string, knownWords: Iterable<string>): string[] => {
  const maxDistance = Math.min(MAX_EDIT_DISTANCE, Math.floor(word.length / 3) + 1)
  const rows: DistanceRows = [[], [], []]
  const similarWords: (readonly [candidate: string, distance: number])[] = []
  let comparedCount = 0
  for (const candidate of knownWords) {
    if (comparedCount++ === MAX_COMPARED_WORDS) break
    const distance = computeEditDistance(word, candidate, maxDistance, rows)
    if (distance <= maxDistance) similarWords.push([candidate, distance])
  }
  return similarWords
    .sort(([a, closer], [b, farther]) => closer - farther || (a < b ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(([candidate]) => candidate)
}

/** Formats suggestions as the end of a message. Returns '' if there are none. */
export const formatSuggestions = (suggestions: readonly string[]): string =>
  suggestions.length === 0 ? '' : `; did you mean ${suggestions.join(' or ')}?`

/** Describes a value that is not a known name. A misspelled name gets suggestions. */
export const describeUnknownName = (name: unknown, knownNames: Iterable<string>): string => {
  const suggestions = typeof name === 'string' ? suggestWords(name, knownNames) : []
  return `${describeValue(name)}${formatSuggestions(suggestions)}`
}
