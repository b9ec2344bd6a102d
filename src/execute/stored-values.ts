import type { JsonValue } from '../base/json.ts'
import type { ValueStep } from '../plan/plan.ts'
import { type FieldType, isBadValue } from '../schema/field-type.ts'
import { findStoredValueIssue } from '../schema/stored-value-issue.ts'
import { BadValue } from './bad-values.ts'
import type { StoredValues, TypeGroup } from './selection-rows.ts'

/** Creates the placeholder of a stored value that is not valid for its type. */
export const createBadStoredValue = (type: FieldType, stored: unknown): BadValue => {
  const { expected, path, value } = findStoredValueIssue(type, stored)
  return new BadValue(path === '' ? expected : `${expected} at ${path}`, value)
}

const isScalar = (value: JsonValue | undefined): boolean => typeof value !== 'object'

const getUncheckedValue = (
  { records, entries }: TypeGroup,
  { isEdgeField, name }: ValueStep,
  row: number,
) => {
  const fields = isEdgeField ? entries[row]?.data : records[row]?.fields
  return fields?.[name]
}

/** Returns a value that is serialized as it is stored, or its placeholder if it is not valid. */
const checkPlainValue = (
  type: FieldType,
  value: JsonValue | undefined,
  checksValues: boolean,
): StoredValues[number] => {
  if (checksValues && isBadValue(type, value)) return createBadStoredValue(type, value)
  return isScalar(value) ? value : undefined
}

const areValuesValid = (
  type: FieldType,
  values: readonly (JsonValue | undefined)[],
  checksValues: boolean,
): boolean => {
  for (const value of values) {
    if (value === undefined) continue
    if (checksValues ? !type.isValid(value) : !isScalar(value)) return false
  }
  return true
}

/**
 * Reads a field of all rows at once. The values are scattered in memory, and in a loop that does nothing else
 * the processor fetches many of them at the same time.
 */
const readValuesOfAllRows = (group: TypeGroup, step: ValueStep, checksValues: boolean): StoredValues => {
  const { type } = step
  const values = group.records.map((_, row) => getUncheckedValue(group, step, row))
  if (!type.serializesAsIs || areValuesValid(type, values, checksValues)) return values
  return values.map(value => checkPlainValue(type, value, checksValues))
}

/**
 * The maximum number of rows that are read at once. Rows of larger groups are read one by one, to not block
 * the event loop.
 */
export const MAX_ROWS_AT_ONCE = 1000

/**
 * Returns the stored value of a row for a step, which is at `index` among the steps of its plan. If
 * `checksValues`, it returns a `BadValue` for a value that is serialized as it is stored and is not valid for
 * its type.
 */
export const readStoredValue = (
  group: TypeGroup,
  step: ValueStep,
  row: number,
  index: number,
  checksValues: boolean,
): StoredValues[number] => {
  if (group.records.length === 1 || group.records.length > MAX_ROWS_AT_ONCE) {
    const value = getUncheckedValue(group, step, row)
    return step.type.serializesAsIs ? checkPlainValue(step.type, value, checksValues) : value
  }
  const values = group.storedValues[index] ?? readValuesOfAllRows(group, step, checksValues)
  group.storedValues[index] = values
  return values[row]
}
