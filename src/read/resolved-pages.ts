import { describeValue } from '../base/describe.ts'
import { type IdKind, isIdOfKind } from '../base/ids.ts'
import { isNonArrayObject, isPlainObject, isText } from '../base/json.ts'
import { usageErrorAbout } from '../base/usage-error.ts'
import type { ResolvedEntry, ResolvedPage, ResolvedPageRequest } from '../schema/edge-resolver.ts'

/** The positions that a function has returned for one list in one call. */
export type SeenPositions = Set<string>

/** The maximum length of a position in UTF-8, so that cursors stay short. */
const MAX_POSITION_BYTES = 500

const isPosition = (value: unknown): value is string =>
  isText(value) && value !== '' && new TextEncoder().encode(value).length <= MAX_POSITION_BYTES

const isCount = (value: unknown): boolean =>
  value === undefined || (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0)

const isResolvedEntry = (kind: IdKind, value: unknown): value is ResolvedEntry =>
  isNonArrayObject(value) &&
  isIdOfKind(kind, value.id) &&
  isPosition(value.position) &&
  (value.data === undefined || isPlainObject(value.data))

const isResolvedPage = (value: unknown): value is ResolvedPage =>
  isNonArrayObject(value) &&
  Array.isArray(value.entries) &&
  typeof value.hasMore === 'boolean' &&
  isCount(value.total)

const PAGE_EXPECTED =
  'an object with the array "entries", the boolean "hasMore" and optionally the count "total"'

const ENTRY_EXPECTED = `an object with an "id", a "position" of 1 to ${MAX_POSITION_BYTES} bytes and optionally an object "data"`

const assertEntries = (
  kind: IdKind,
  location: string,
  subject: string,
  entries: readonly unknown[],
  { limit }: ResolvedPageRequest,
  seenPositions: SeenPositions,
): void => {
  if (entries.length > limit)
    throw usageErrorAbout(location, `${subject}.entries`, `at most ${limit} entries`, `${entries.length}`)
  for (const [index, entry] of entries.entries()) {
    const entrySubject = `${subject}.entries[${index}]`
    if (!isResolvedEntry(kind, entry))
      throw usageErrorAbout(location, entrySubject, ENTRY_EXPECTED, describeValue(entry))
    if (seenPositions.has(entry.position))
      throw usageErrorAbout(
        location,
        `${entrySubject}.position`,
        'a position after "from" that the list has not returned before',
        describeValue(entry.position),
      )
    seenPositions.add(entry.position)
  }
}

/**
 * Checks what a function of an edge returned.
 *
 * @throws TypeError whose message names the edge and the part of the result that is wrong.
 */
export const parseResolvedPages = (
  kind: IdKind,
  location: string,
  result: unknown,
  requests: readonly ResolvedPageRequest[],
  seenPositions: readonly SeenPositions[],
): readonly ResolvedPage[] => {
  const pages: readonly unknown[] | undefined = Array.isArray(result) ? result : undefined
  if (pages === undefined || pages.length !== requests.length) {
    const expected = `an array of length ${requests.length}, with a page for each source`
    throw usageErrorAbout(location, 'the result', expected, describeValue(result))
  }
  return requests.map((request, index) => {
    const subject = `the result[${index}]`
    const page = pages[index]
    if (!isResolvedPage(page)) throw usageErrorAbout(location, subject, PAGE_EXPECTED, describeValue(page))
    assertEntries(kind, location, subject, page.entries, request, seenPositions[index] ?? new Set())
    return page
  })
}
