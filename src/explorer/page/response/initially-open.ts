import type { Json } from './json.ts'

/** The number of members of a list or object that are shown at first, and that each request for more adds. */
export const MEMBERS_PER_STEP = 100
/** More rows would block the browser noticeably. */
const MAX_ROWS = 1500
const INITIALLY_CLOSED_MEMBERS = new Set(['metadata', 'cursors'])

const isContainer = (value: Json): value is Exclude<Json, string | number | boolean | null> =>
  typeof value === 'object' && value !== null

/** Returns the lists and objects that are open at first: those near the top, up to a number of rows. */
export const findInitiallyOpenValues = (values: readonly Json[]): ReadonlySet<Json> => {
  const openValues = new Set<Json>()
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
