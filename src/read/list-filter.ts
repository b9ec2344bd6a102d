import { ignoreRejection } from '../base/awaitable.ts'
import { describeValue } from '../base/describe.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'
import { usageErrorAbout } from '../base/usage-error.ts'
import type { ReadTask } from '../core/batching.ts'
import type { ListFilter, Window } from '../plan/window.ts'
import type { EdgeEntry, NodeRecord } from '../store/contract.ts'
import { edgeTimeOf } from '../store/derived-entries.ts'
import { rangesRequest } from '../store/requests.ts'
import type { ExecutionContext } from './context.ts'
import { assertProgress, EMPTY_RANGE_RESULT, type PageRequest } from './pages.ts'

const NO_DATA: JsonObject = Object.freeze({})

const pickMembers = (members: JsonObject, names: readonly string[]): JsonObject => {
  const picked: { [name: string]: JsonValue } = {}
  for (const name of names) {
    const value = Object.hasOwn(members, name) ? members[name] : undefined
    if (value !== undefined) picked[name] = value
  }
  return picked
}

const evaluateFilter = (
  { where, targetFields, edgeFields }: ListFilter,
  edgeEntry: EdgeEntry,
  parameters: Window['parameters'],
): boolean => {
  const { data, node } = edgeEntry
  const entry = {
    data: data === undefined ? NO_DATA : pickMembers(data, edgeFields),
    time: edgeTimeOf(edgeEntry),
    target: { id: node.id, type: node.type, fields: pickMembers(node.fields, targetFields) },
  }
  const isMatch: unknown = where(entry, parameters)
  if (typeof isMatch === 'boolean') return isMatch
  ignoreRejection(isMatch)
  throw usageErrorAbout('where', 'the result', 'a boolean', describeValue(isMatch))
}

const matchAll = (): boolean => true

/**
 * Creates the function that returns whether an entry passes the filter of its edge. The function is called
 * only for entries that the viewer may see. An entry for which the filter throws is left out and reported.
 */
export const createEntryTest = (
  { reporter }: Pick<ExecutionContext, 'reporter'>,
  type: string,
  { name, filter }: Pick<PageRequest, 'name' | 'filter'>,
  { parameters }: Pick<Window, 'parameters'>,
): ((entry: EdgeEntry) => boolean) => {
  if (filter === undefined) return matchAll
  return entry => {
    try {
      return evaluateFilter(filter, entry, parameters)
    } catch (error) {
      reporter?.reportFilter(type, name, error)
      return false
    }
  }
}

/** The number of edges that are read at once to find an entry. */
const SEARCH_SIZE = 1000

/** The weight of each of these edges against the scan limit. The policies of their targets are not evaluated. */
const ENTRY_WEIGHT = 1

/**
 * Finds the entry with the given target in a list. A store returns only whether a single edge exists, so the
 * list is read from its newest entry on.
 *
 * @throws GraphError `query_too_expensive` if the call exceeds its scan limit.
 */
export function* findEntry(
  { scanLimit }: ExecutionContext,
  { id: source, type }: NodeRecord,
  { name, list }: Pick<PageRequest, 'name' | 'list'>,
  target: string,
): ReadTask<EdgeEntry | undefined> {
  let rangeResult = { ...EMPTY_RANGE_RESULT, hasMore: true }
  while (rangeResult.hasMore) {
    scanLimit.assertWithinLimit(1, ENTRY_WEIGHT)
    const from = rangeResult.lastExamined
    const limit = Math.min(SEARCH_SIZE, scanLimit.remaining(ENTRY_WEIGHT))
    const range = { source, name: list, direction: 'newest', from, limit, count: false } as const
    const { ranges } = yield rangesRequest([{ ...range, minTime: undefined, maxTime: undefined }])
    rangeResult = ranges[0] ?? EMPTY_RANGE_RESULT
    assertProgress(from, rangeResult)
    const index = rangeResult.entries.findIndex(({ node }) => node.id === target)
    // As for a page, only the edges up to the found one count, however many are read at once.
    const examinedCount = index === -1 ? rangeResult.entries.length : index + 1
    scanLimit.addExamined(type, name, examinedCount, ENTRY_WEIGHT)
    if (index !== -1) return rangeResult.entries[index]
  }
  return undefined
}
