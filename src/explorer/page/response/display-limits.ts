import type { JsonValue } from '../../../base/json.ts'

/** The number of members of a list or object that are shown at first, and the number that each step adds. */
export const MEMBERS_PER_STEP = 100
/** More rows would block the browser for a noticeable time. */
const MAX_ROWS = 1500
const INITIALLY_CLOSED_MEMBERS = new Set(['metadata', 'cursors'])

const isContainer = (value: JsonValue): value is Exclude<JsonValue, string | number | boolean | null> =>
  typeof value === 'object' && value !== null

/**
 * Returns the lists and objects that are open at first: those near the top, up to the maximum number of rows.
 */
export const findInitiallyOpenValues = (values: readonly JsonValue[]): ReadonlySet<JsonValue> => {
  const openValues = new Set<JsonValue>()
  const queue = values.filter(isContainer)
  let rows = 0
  for (const container of queue) {
    const members = Object.entries(container).slice(0, MEMBERS_PER_STEP)
    rows += members.length
    if (rows > MAX_ROWS && openValues.size > 0) break
    openValues.add(container)
    queue.push(
      ...members.flatMap(([name, value]) =>
        isContainer(value) && !INITIALLY_CLOSED_MEMBERS.has(name) ? [value] : [],
      ),
    )
  }
  return openValues
}

/**
 * Truncates a long text, which would take a browser too long to lay out. Adds the length of the omitted rest.
 */
export const truncateText = (text: string, maxLength: number): string =>
  text.length <= maxLength
    ? text
    : `${text.slice(0, maxLength).toWellFormed()}… and ${(text.length - maxLength).toLocaleString('en')} more characters`
