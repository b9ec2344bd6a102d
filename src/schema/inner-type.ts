import { describeValue } from '../base/describe.ts'
import { usageError } from '../base/usage-error.ts'
import type { Field, ValueField } from './field.ts'
import type { FieldType, MemberType } from './field-type.ts'
import { pictureType } from './picture-type.ts'

/** The options that have no effect on a field inside another field. */
const WHOLE_FIELD_OPTIONS = [
  'default',
  'present',
  'scope',
  'policy',
  'since',
  'removedIn',
  'deprecated',
  'resolve',
  'reads',
  'from',
] as const satisfies readonly (keyof ValueField)[]

const WHOLE_FIELD_OPTION_EXPECTED = 'left out, since only a whole field can have it'

const readInnerType = (location: string, path: string, field: Field): FieldType => {
  if (field?.kind !== 'value') throw usageError(location, path, 'a field with a value', describeValue(field))
  const ignored = WHOLE_FIELD_OPTIONS.find(name => field[name] !== undefined && field[name] !== false)
  if (ignored !== undefined)
    throw usageError(
      location,
      `${path}.${ignored}`,
      WHOLE_FIELD_OPTION_EXPECTED,
      describeValue(field[ignored]),
    )
  if (field.type !== pictureType && Object.keys(field.parameters).length > 0)
    throw usageError(
      location,
      `${path}.parameters`,
      WHOLE_FIELD_OPTION_EXPECTED,
      describeValue(field.parameters),
    )
  return field.type
}

/**
 * Returns the type of a field that is declared inside another field.
 *
 * @throws TypeError for options that have no effect there. For example, a scope would protect nothing.
 */
export const toInnerType = (location: string, path: string, field: Field): FieldType => {
  const type = readInnerType(location, path, field)
  if (field.kind === 'value' && field.weight !== undefined)
    throw usageError(location, `${path}.weight`, WHOLE_FIELD_OPTION_EXPECTED, describeValue(field.weight))
  return type
}

/**
 * Returns a member of an object. A member may have a weight, because the cost of an object is the sum of the
 * costs of its members.
 *
 * @throws TypeError for options that have no effect there.
 */
export const toMemberType = (location: string, path: string, field: Field): MemberType => {
  const type = readInnerType(location, path, field)
  return { type, required: field.required, weight: field.kind === 'value' ? field.weight : undefined }
}
