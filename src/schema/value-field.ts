import { describe } from '../base/describe.ts'
import type { OptionKinds } from '../base/options.ts'
import {
  commonOf,
  type Field,
  type FieldTypes,
  type ListOptions,
  REF_OPTIONS,
  type Typed,
  type ValueField,
} from './field.ts'
import type { FieldType } from './field-type.ts'
import { innerTypeOf } from './inner-type.ts'

const VALUE_OPTIONS = {
  ...REF_OPTIONS,
  parameters: 'object',
  resolve: 'function',
  weight: 'any',
} as const satisfies OptionKinds

const parameterTypes = (place: string, parameters: { readonly [name: string]: Field } | undefined) =>
  Object.fromEntries(
    Object.entries(parameters ?? {}).map(([name, field]) => {
      if (field?.kind !== 'value')
        throw new TypeError(`${place}: parameter ${name} must be a field with a value`)
      return [name, innerTypeOf(`${place}: parameter ${name}`, field)] as const
    }),
  )

/** @throws TypeError for a weight that is not a positive integer, or of a value whose cost is not its own. */
const weightOf = (
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

/** Declares a field with a value of the given type. */
export const valueField = <TTypes extends FieldTypes>(
  place: string,
  type: FieldType,
  options: ListOptions<unknown> | undefined,
  extra: {
    readonly parameters?: { readonly [name: string]: FieldType }
    readonly from?: string
    readonly kinds?: OptionKinds
  } = {},
): Typed<ValueField, TTypes> =>
  Object.freeze({
    kind: 'value',
    ...commonOf(place, options, extra.kinds ?? VALUE_OPTIONS),
    type,
    parameters: Object.freeze(extra.parameters ?? parameterTypes(place, options?.parameters)),
    from: extra.from,
    resolve: options?.resolve,
    weight: weightOf(place, type, options ?? {}),
  })
