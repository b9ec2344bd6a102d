import type { JsonValue } from '../base/json.ts'
import type { ValueStep } from '../plan/plan.ts'
import { type FieldType, isBadValue } from '../schema/field-type.ts'
import { storedMismatch } from '../schema/stored-mismatch.ts'
import { BadValue } from './bad-values.ts'
import type { Group, StoredValues } from './gathered.ts'

/** What is in the place of a stored value that is not valid for its type. */
export const badStoredValue = (type: FieldType, stored: unknown): BadValue => {
  const { expected, path, value } = storedMismatch(type, stored)
  return new BadValue(path === '' ? expected : `${expected} at ${path}`, value)
}

const isScalar = (value: JsonValue | undefined): boolean => typeof value !== 'object'

const readOne = ({ records, entries }: Group, { entry, name }: ValueStep, row: number) => {
  const fields = entry ? entries[row]?.data : records[row]?.fields
  return fields?.[name]
}

/** A value that is returned as it is stored, or what is in its place. */
const plainValue = (
  type: FieldType,
  value: JsonValue | undefined,
  checked: boolean,
): StoredValues[number] => {
  if (checked && isBadValue(type, value)) return badStoredValue(type, value)
  return isScalar(value) ? value : undefined
}

const areFine = (type: FieldType, values: readonly (JsonValue | undefined)[], checked: boolean): boolean => {
  for (const value of values) {
    if (value === undefined) continue
    if (checked ? !type.isValid(value) : !isScalar(value)) return false
  }
  return true
}

/**
 * Reads a field of all rows at once. To look at what a value is fetches it from memory, where each lies in a place of its
 * own: in a loop that does nothing else, the processor waits for many of them at a time.
 */
const readAll = (group: Group, step: ValueStep, checked: boolean): StoredValues => {
  const { type } = step
  const values = group.records.map((_, row) => readOne(group, step, row))
  if (!type.plain || areFine(type, values, checked)) return values
  return values.map(value => plainValue(type, value, checked))
}

/** Of larger groups each row is read when its turn comes, since all at once would hold the event loop. */
export const MOST_AT_ONCE = 1000

/**
 * What a row stores under a step, the one at `index` of its plan. A value that is returned as it is stored is looked at
 * here: if values are `checked`, a `BadValue` is in the place of each that is not valid for its type.
 */
export const storedValue = (
  group: Group,
  step: ValueStep,
  row: number,
  index: number,
  checked: boolean,
): StoredValues[number] => {
  if (group.records.length === 1 || group.records.length > MOST_AT_ONCE) {
    const value = readOne(group, step, row)
    return step.type.plain ? plainValue(step.type, value, checked) : value
  }
  const values = group.stored[index] ?? readAll(group, step, checked)
  group.stored[index] = values
  return values[row]
}
