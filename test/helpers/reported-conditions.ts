import { isNonArrayObject } from '../../src/base/json.ts'

const MEMBER = 'heldCondition'

/**
 * Returns an expected result without the conditions that hold for records whose received counterparts report none,
 * because a store reports only what it evaluated exactly.
 */
export const withReportedConditions = (expected: unknown, received: unknown): unknown => {
  if (Array.isArray(expected) && Array.isArray(received))
    return expected.map((item, index) => withReportedConditions(item, received[index]))
  if (!isNonArrayObject(expected) || !isNonArrayObject(received)) return expected
  const reported = Object.entries(expected).filter(([name]) => name !== MEMBER || name in received)
  return Object.fromEntries(
    reported.map(([name, value]) => [name, withReportedConditions(value, received[name])]),
  )
}

/** Counts the records in a result that report a condition: one that holds, or that none does. */
export const countReportedConditions = (value: unknown): number => {
  const members: readonly unknown[] = Array.isArray(value)
    ? value
    : isNonArrayObject(value)
      ? Object.values(value)
      : []
  const isReported = isNonArrayObject(value) && MEMBER in value
  return members.reduce<number>((sum, member) => sum + countReportedConditions(member), isReported ? 1 : 0)
}
