import { describe } from '../base/describe.ts'
import type { Field, ValueField } from './field.ts'
import type { FieldType, MemberType } from './field-type.ts'
import { pictureType } from './picture-type.ts'

/** What a field inside of another, or one that describes a parameter, would say to nobody. */
const OF_THE_WHOLE = [
  'default',
  'scope',
  'policy',
  'since',
  'removedIn',
  'deprecated',
  'resolve',
  'from',
] as const satisfies readonly (keyof ValueField)[]

const typeIn = (place: string, of: Field): FieldType => {
  if (of?.kind !== 'value')
    throw new TypeError(`${place}: expected a field with a value, came ${describe(of)}`)
  const ignored = OF_THE_WHOLE.find(name => of[name] !== undefined && of[name] !== false)
  if (ignored !== undefined)
    throw new TypeError(`${place}: a ${ignored} belongs to the whole field, not to what is inside it`)
  if (of.type !== pictureType && Object.keys(of.parameters).length > 0)
    throw new TypeError(`${place}: only a whole field takes parameters, not what is inside it`)
  return of.type
}

/**
 * The type of a field with a value that is declared inside of another, or as a parameter.
 *
 * @throws TypeError for options that would be ignored there: a scope would guard nothing.
 */
export const innerTypeOf = (place: string, of: Field): FieldType => {
  const type = typeIn(place, of)
  if (of.kind === 'value' && of.weight !== undefined)
    throw new TypeError(`${place}: a weight belongs to the whole field, not to what is inside it`)
  return type
}

/**
 * A member of an object. An object costs what its members cost, so a member may have a weight.
 *
 * @throws TypeError for the other options that would be ignored there.
 */
export const memberOf = (place: string, of: Field): MemberType => {
  const type = typeIn(place, of)
  return { type, required: of.required, weight: of.kind === 'value' ? of.weight : undefined }
}
