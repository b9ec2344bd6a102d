import { describe } from '../base/describe.ts'
import type { ListOptions } from './field.ts'
import type { FieldType } from './field-type.ts'

/** @throws TypeError for a weight that is not a positive integer, or of a value whose cost is not its own. */
export const weightOf = (
  place: string,
  { parts }: FieldType,
  { weight, resolve }: Pick<ListOptions<unknown>, 'weight' | 'resolve'>,
): number | undefined => {
  if (weight === undefined) return undefined
  if (!Number.isSafeInteger(weight) || weight < 1)
    throw new TypeError(`${place}: "weight" must be an integer of at least 1; received ${describe(weight)}`)
  const isCollection = parts !== undefined && ('items' in parts || 'values' in parts)
  if (resolve === undefined && !isCollection)
    throw new TypeError(`${place}: only a list, a map or a computed field has a weight`)
  return weight
}
