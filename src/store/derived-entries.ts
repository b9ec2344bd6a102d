import { isTime } from '../base/dates.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'
import type { EdgeEntry, EdgeKey, EdgeRecord } from './records.ts'

/**
 * The source of all collections. It has no node: it is a source of ranges, of checks and of derived entries
 * alone.
 */
export const ROOT_ID = 'root'

/** The character before the name of an order. No other name of a list contains it. */
const ORDER_MARK = '#'

/** The member of an order's entry that contains the time of its edge. */
export const TIME_MEMBER = '#time'

/**
 * An entry that a store derives from a record.
 *
 * - The entry of a node in a collection has the source `ROOT_ID` and no data.
 * - The entry of an edge in a further order has the name of the edge's stored list, `#` and the name of the
 * order. Its data is the data of the edge, and the time of the edge as `#time`.
 *
 * The time of the entry is the value of `by`. If there is no record, or `by` is not an integer in the limits of
 * times, there is no entry: the store deletes one that it has.
 */
export type DerivedEntry = EdgeKey & {
  /**
   * The field of the node, or of the data of the edge, that gives the time of the entry: its value times
   * `factor`. Without it, the time is 0.
   */
  readonly by: EntryKey | undefined
}

/** An integer field that gives the times of entries. The factor is 1000 for a field in seconds. */
export type EntryKey = { readonly field: string; readonly factor: 1 | 1000 }

/** Returns the name of the stored list of an order. */
export const orderListOf = (list: string, order: string): string => `${list}${ORDER_MARK}${order}`

/** Returns the stored list whose edges an order contains; undefined for a list that is no further order. */
export const listOfOrder = (name: string): string | undefined => {
  const end = name.indexOf(ORDER_MARK)
  return end === -1 ? undefined : name.slice(0, end)
}

/** Whether a list contains derived entries, which a dump leaves out. */
export const isDerivedList = ({ source, name }: Pick<EdgeKey, 'source' | 'name'>): boolean =>
  source === ROOT_ID || name.includes(ORDER_MARK)

/** Returns the edge that an entry of a further order is derived from. */
export const edgeOfEntry = ({ source, name, target }: EdgeKey): EdgeKey => ({
  source,
  name: listOfOrder(name) ?? name,
  target,
})

/** Returns the time of the edge of an entry. In the entries of further orders, `time` is another value. */
export const edgeTimeOf = ({ time, data }: Pick<EdgeEntry, 'time' | 'data'>): number => {
  const edgeTime = data?.[TIME_MEMBER]
  return typeof edgeTime === 'number' ? edgeTime : time
}

/** What an entry is derived from: the fields of a node, or the data of an edge and its time. */
export type EntryOrigin = { readonly members: JsonObject; readonly time?: number | undefined }

/** Returns the time that a value of a field gives to an entry; undefined if the value is not in the limits. */
export const timeOfKey = (by: EntryKey | undefined, value: JsonValue | undefined): number | undefined => {
  if (by === undefined) return 0
  // Adding 0 changes -0 to 0.
  const time = typeof value === 'number' ? value * by.factor + 0 : undefined
  return isTime(time) ? time : undefined
}

const timeOf = ({ by }: DerivedEntry, { members }: EntryOrigin): number | undefined =>
  timeOfKey(by, by && Object.hasOwn(members, by.field) ? members[by.field] : undefined)

/** Derives an entry from its record; undefined if there is none. */
export const deriveEntry = (entry: DerivedEntry, origin: EntryOrigin | undefined): EdgeRecord | undefined => {
  const time = origin && timeOf(entry, origin)
  if (origin === undefined || time === undefined) return undefined
  const { source, name, target } = entry
  if (source === ROOT_ID) return { source, name, target, time }
  return { source, name, target, time, data: { ...origin.members, [TIME_MEMBER]: origin.time ?? 0 } }
}
