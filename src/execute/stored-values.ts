import type { JsonValue } from '../base/json.ts'
import type { ValueStep } from '../plan/plan.ts'
import type { Group, StoredValues } from './gathered.ts'

const isScalar = (value: JsonValue | undefined): boolean => typeof value !== 'object'

const areScalars = (values: StoredValues): boolean => {
  for (const value of values) if (typeof value === 'object') return false
  return true
}

const readOne = (
  { records, entries }: Group,
  { entry, name }: ValueStep,
  row: number,
): StoredValues[number] => {
  const fields = entry ? entries[row]?.data : records[row]?.fields
  return fields?.[name]
}

/**
 * Reads a field of all rows at once. To look at what a value is fetches it from memory, where each lies in a place of its
 * own: in a loop that does nothing else, the processor waits for many of them at a time.
 */
const readAll = (group: Group, step: ValueStep): StoredValues => {
  const values = group.records.map((_, row) => readOne(group, step, row))
  if (!step.type.plain || areScalars(values)) return values
  return values.map(value => (isScalar(value) ? value : undefined))
}

/** Of larger groups each row is read when its turn comes, since all at once would hold the event loop. */
export const MOST_AT_ONCE = 1000

/** What a row stores under a step, the one at `index` of its plan; nothing where it is no scalar but has to be. */
export const storedValue = (
  group: Group,
  step: ValueStep,
  row: number,
  index: number,
): StoredValues[number] => {
  if (group.records.length === 1 || group.records.length > MOST_AT_ONCE) {
    const value = readOne(group, step, row)
    return !step.type.plain || isScalar(value) ? value : undefined
  }
  const values = group.stored[index] ?? readAll(group, step)
  group.stored[index] = values
  return values[row]
}
