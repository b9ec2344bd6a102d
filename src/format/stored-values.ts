import type { JsonValue } from '../base/json.ts'
import { BadValue } from '../core/bad-values.ts'
import type { StoredValues } from '../core/selection-rows.ts'
import type { ValueStep } from '../plan/plan.ts'
import type { ExecutionContext } from '../read/context.ts'
import { type FieldType, isBadValue } from '../schema/field-type.ts'
import { findStoredValueIssue } from '../schema/stored-value-issue.ts'

/** Whether stored values are checked against the types of their fields. */
export const checksValues = ({ checkValues }: ExecutionContext): boolean => checkValues !== 'off'

/** Creates the placeholder of a stored value that is not valid for its type. */
export const createBadStoredValue = (type: FieldType, stored: unknown): BadValue => {
  const { expected, path, value } = findStoredValueIssue(type, stored)
  return new BadValue(path === '' ? expected : `${expected} at ${path}`, value)
}

/** Whether a stored value is missing although the schema promises it. */
export const isMissing = (
  { checkValues, isReadOnly }: ExecutionContext,
  { required, present }: Pick<ValueStep, 'required' | 'present'>,
  stored: unknown,
): boolean =>
  (stored === undefined || stored === null) && (present || (required && isReadOnly)) && checkValues !== 'off'

const isScalar = (value: JsonValue | undefined): boolean => typeof value !== 'object'

/** Returns a value that is serialized unchanged, or a placeholder if the value is not valid. */
export const checkPlainValue = (
  type: FieldType,
  value: JsonValue | undefined,
  checksValues: boolean,
): StoredValues[number] => {
  if (checksValues && isBadValue(type, value)) return createBadStoredValue(type, value)
  return isScalar(value) ? value : undefined
}

/** Whether no value of a field that is serialized unchanged is bad. */
export const areValuesValid = (
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
