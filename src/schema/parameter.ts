import { describeValue } from '../base/describe.ts'
import { isNonArrayObject, type JsonValue } from '../base/json.ts'
import { usageError } from '../base/usage-error.ts'
import type { FieldType } from './field-type.ts'

/** The type information of a parameter. It does not exist at run time. */
export type ParameterTypeInfo = {
  /** The type that a function of the schema receives, without `undefined`. */
  value: unknown
  /** The type that a call accepts. */
  input: unknown
  /** Whether the value is never `undefined`: the parameter is required or has a default. */
  alwaysPresent: boolean
  /** Whether a caller must give a value. */
  required: boolean
}

/** The properties that only parameters of actions have, as they are declared. `kithgraph/actions` checks them. */
export type ActionParameter = {
  /** Whether `null` is a value. */
  readonly nullable?: boolean | undefined
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly maxLength?: number | undefined
  readonly maxItems?: number | undefined
  /** The items of a list. */
  readonly items?: Parameter
  /** The members of an object. */
  readonly members?: Parameters
}

/** A declared parameter of a field, an edge or an action: frozen data, which the functions of {@link parameter} create. */
export type Parameter<TInfo extends ParameterTypeInfo = ParameterTypeInfo> = {
  readonly kind: ParameterKind
  readonly type: FieldType
  readonly description: string
  /** The stored form of the default value, or `undefined` without a default. */
  readonly default: JsonValue | undefined
  readonly required: boolean
  /** The types of the node that an id may name, or `undefined` if they are not declared. */
  readonly types: readonly string[] | undefined
  /** The properties that only actions accept, or `undefined` for a parameter that reads may have. */
  readonly forActions: ActionParameter | undefined
  readonly '~types'?: TInfo
}

/** The kind of a parameter. `node`, `list` and `object` are for actions, and `id` is for reads. */
export type ParameterKind =
  | 'enum'
  | 'int'
  | 'float'
  | 'bool'
  | 'string'
  | 'datetime'
  | 'id'
  | 'node'
  | 'list'
  | 'object'

/** Declared parameters by name. */
export type Parameters = { readonly [name: string]: Parameter }

/** The constant values of parameters that a rule or a field of the schema gives to an edge. */
export type ConstantParameters = { readonly [name: string]: string | number | boolean | undefined }

/** The values of parameters by name, in their stored form. */
export type ParameterValues = { readonly [name: string]: JsonValue | undefined }

type ValueOf<TParameter> = TParameter extends {
  readonly '~types'?: { value: infer TValue; alwaysPresent: infer TAlwaysPresent }
}
  ? TValue | (TAlwaysPresent extends true ? never : undefined)
  : never

/**
 * The values of declared parameters, as a function of the schema receives them. The type is conditional, so
 * that editors show the values.
 */
export type ValuesOf<TParameters> = TParameters extends unknown
  ? { readonly [N in keyof TParameters]: ValueOf<TParameters[N]> }
  : never

/** Whether a value was created by one of the functions of {@link parameter}. Nothing else has `forActions`. */
export const isParameter = (value: unknown): value is Parameter =>
  isNonArrayObject(value) && isNonArrayObject(value.type) && 'forActions' in value

/** Edges without parameters share this object, so that their lists are read together. */
export const NO_PARAMETERS: Parameters = Object.freeze({})

/**
 * Returns a frozen copy of the declared parameters of a field or an edge.
 *
 * @throws TypeError for a value that is not a parameter, or that is only for actions.
 */
export const toParameters = (location: string, parameters: object | undefined): Parameters => {
  for (const [name, value] of Object.entries(parameters ?? {})) {
    const path = `parameters.${name}`
    if (!isParameter(value)) {
      const expected = 'a parameter, such as the result of parameter.int()'
      throw usageError(location, path, expected, describeValue(value))
    }
    if (value.forActions !== undefined)
      throw usageError(location, path, 'a parameter for reads', 'one for actions')
  }
  return parameters === undefined ? NO_PARAMETERS : Object.freeze({ ...parameters })
}

/** Returns the words or truth values that a parameter may have, or `undefined` if the values are not finite. */
export const finiteValuesOf = ({ kind, type }: Parameter): readonly (string | boolean)[] | undefined => {
  if (kind === 'bool') return [false, true]
  return type.parts !== undefined && 'words' in type.parts ? type.parts.words : undefined
}
