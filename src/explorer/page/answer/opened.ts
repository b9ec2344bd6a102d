import type { Json } from './json.ts'

/** The members of a list or object that are shown at first, and that are added whenever more are asked for. */
export const AT_ONCE = 100
/** More rows would keep a browser busy for so long that it is felt. */
const MOST_ROWS = 1500
const CLOSED = new Set(['metadata', 'cursors'])

const isContainer = (value: Json): value is Exclude<Json, string | number | boolean | null> =>
  typeof value === 'object' && value !== null

/** The lists and objects in some values that are shown open at first: those near the top, while there is room for their rows. */
export const openedIn = (values: readonly Json[]): ReadonlySet<Json> => {
  const opened = new Set<Json>()
  const waiting = values.filter(isContainer)
  let rows = 0
  for (const container of waiting) {
    const members = Object.entries(container).slice(0, AT_ONCE)
    rows += members.length
    if (rows > MOST_ROWS && opened.size > 0) break
    opened.add(container)
    waiting.push(
      ...members.flatMap(([name, value]) => (isContainer(value) && !CLOSED.has(name) ? [value] : [])),
    )
  }
  return opened
}
