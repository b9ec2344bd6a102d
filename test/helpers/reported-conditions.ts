import { isNonArrayObject } from '../../src/base/json.ts'

/** What a store reports only if it evaluated all conditions exactly. */
const REPORTED: readonly string[] = ['heldCondition', 'passing']

/**
 * Returns an expected result without the conditions that hold for records whose received counterparts report none, and
 * without the counts under conditions that the received lists do not have.
 */
export const withReportedConditions = (expected: unknown, received: unknown): unknown => {
  if (Array.isArray(expected) && Array.isArray(received))
    return expected.map((item, index) => withReportedConditions(item, received[index]))
  if (!isNonArrayObject(expected) || !isNonArrayObject(received)) return expected
  const reported = Object.entries(expected).filter(([name]) => !REPORTED.includes(name) || name in received)
  return Object.fromEntries(
    reported.map(([name, value]) => [name, withReportedConditions(value, received[name])]),
  )
}

/**
 * Counts the records in a result that report a condition, one that holds or that none does, or the lists that report a
 * count under conditions.
 */
export const countReported = (member: 'heldCondition' | 'passing', value: unknown): number => {
  const members: readonly unknown[] = Array.isArray(value)
    ? value
    : isNonArrayObject(value)
      ? Object.values(value)
      : []
  const isReported = isNonArrayObject(value) && value[member] !== undefined
  return members.reduce<number>((sum, one) => sum + countReported(member, one), isReported ? 1 : 0)
}
