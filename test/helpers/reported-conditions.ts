import { expect } from 'vitest'
import { isNonArrayObject } from '../../src/base/json.ts'

/** What a store reports only if it evaluated all conditions exactly. */
const REPORTED: readonly string[] = ['heldCondition', 'passing']

/**
 * Returns an expected result without the conditions that hold for records whose received counterparts report none, and
 * without the counts under conditions that the received lists do not have.
 */
const withReportedConditions = (expected: unknown, received: unknown): unknown => {
  if (Array.isArray(expected) && Array.isArray(received))
    return expected.map((item, index) => withReportedConditions(item, received[index]))
  if (!isNonArrayObject(expected) || !isNonArrayObject(received)) return expected
  const reported = Object.entries(expected).filter(([name]) => !REPORTED.includes(name) || name in received)
  return Object.fromEntries(
    reported.map(([name, value]) => [name, withReportedConditions(value, received[name])]),
  )
}

const isMissingNode = (value: unknown): boolean =>
  isNonArrayObject(value) && 'node' in value && value.node === undefined && Object.keys(value).length === 1

/** Returns results as JSON, in which a ref without a node is the same as a step that was not executed. */
const toJson = (results: unknown): unknown =>
  JSON.parse(JSON.stringify(results, (_, value) => (isMissingNode(value) ? null : value)))

/** Expects a result, in which a store may leave out the conditions that hold and counts under conditions. */
export const expectReported = (received: unknown, expected: unknown): void => {
  const json = toJson(received)
  expect(json).toEqual(withReportedConditions(toJson(expected), json))
}

/** Counts the records and lists in a result that have a member about their conditions. */
export const countReported = (member: 'heldCondition' | 'examined' | 'passing', value: unknown): number => {
  const members: readonly unknown[] = Array.isArray(value)
    ? value
    : isNonArrayObject(value)
      ? Object.values(value)
      : []
  const isReported = isNonArrayObject(value) && value[member] !== undefined
  return members.reduce<number>((sum, one) => sum + countReported(member, one), isReported ? 1 : 0)
}
