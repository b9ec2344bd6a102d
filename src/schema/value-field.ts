import { describeValue } from '../base/describe.ts'
import type { OptionKinds } from '../base/options.ts'
import { usageError } from '../base/usage-error.ts'
import {
  type FieldTypeInfo,
  type ListOptions,
  REF_FIELD_OPTION_KINDS,
  toCommonField,
  type ValueField,
  type ValueOptions,
  type WithTypeInfo,
} from './field.ts'
import type { TypedValueField } from './field-inference.ts'
import type { FieldType } from './field-type.ts'
import { type Parameters, toParameters } from './parameter.ts'

const VALUE_FIELD_OPTION_KINDS = {
  ...REF_FIELD_OPTION_KINDS,
  parameters: 'object',
  resolve: 'function',
  reads: 'texts',
  weight: 'any',
} as const satisfies OptionKinds

/**
 * Returns the weight of a field.
 *
 * @throws TypeError if the weight is not a positive integer, or if the field cannot have a weight.
 */
const readWeight = (
  location: string,
  { parts }: FieldType,
  { weight, resolve }: Pick<ListOptions<unknown>, 'weight' | 'resolve'>,
): number | undefined => {
  if (weight === undefined) return undefined
  if (!Number.isSafeInteger(weight) || weight < 1)
    throw usageError(location, 'weight', 'an integer of at least 1', describeValue(weight))
  const isCollection = parts !== undefined && ('items' in parts || 'values' in parts || 'json' in parts)
  if (resolve === undefined && !isCollection)
    throw usageError(
      location,
      'weight',
      'left out unless the field is a list, a map, JSON or computed',
      describeValue(weight),
    )
  return weight
}

/** Creates a field with a value of the given type. */
export const createValueField = <TTypes extends FieldTypeInfo>(
  location: string,
  type: FieldType,
  options: ListOptions<unknown> | undefined,
  extraOptions: {
    readonly parameters?: Parameters
    readonly from?: string
    readonly kinds?: OptionKinds
  } = {},
): WithTypeInfo<ValueField, TTypes> =>
  Object.freeze({
    kind: 'value',
    ...toCommonField(location, options, extraOptions.kinds ?? VALUE_FIELD_OPTION_KINDS),
    type,
    parameters: extraOptions.parameters ?? toParameters(location, options?.parameters),
    from: extraOptions.from,
    resolve: options?.resolve,
    reads: options?.reads && Object.freeze([...options.reads]),
    weight: readWeight(location, type, options ?? {}),
  })

/** A builder for fields of one type: `field.string({ default: true })`. */
type FieldBuilder<TOutput, TInput> = <const TOptions extends ValueOptions<TInput>>(
  options?: TOptions,
) => TypedValueField<TOutput, TInput, TOptions>

/** Creates the builder for fields of one type. */
export const createFieldBuilder =
  <TOutput, TInput>(name: string, type: FieldType): FieldBuilder<TOutput, TInput> =>
  options =>
    createValueField(`field.${name}`, type, options)
