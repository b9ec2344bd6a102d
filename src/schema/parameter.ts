import { describeValue } from '../base/describe.ts'
import { isNonArrayObject, isText, type JsonValue } from '../base/json.ts'
import { assertOptionKinds, type OptionKinds } from '../base/options.ts'
import { usageError } from '../base/usage-error.ts'
import { type FieldType, ValidationIssue } from './field-type.ts'
import { boolType, enumType, floatType, intType, stringType } from './scalar-types.ts'
import { datetimeType } from './time-types.ts'

/** The options of every parameter. */
export type ParameterOptions<TInput> = {
  /** The value if a caller gives none. Without a default, the value is then `undefined`. */
  readonly default?: TInput | undefined
  /** The description in the OpenAPI document and in the Explorer. */
  readonly description?: string | undefined
  /** Whether a caller must give a value. A required parameter has no default. */
  readonly required?: boolean | undefined
}

/** The options of a parameter that names a node. */
export type IdParameterOptions = ParameterOptions<'me'> & {
  /**
   * The names of the types that the node may have. A graph with app-scoped ids accepts the ids of these
   * types; without `types`, only app-scoped ids and `me`.
   */
  readonly types?: readonly string[] | undefined
}

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

/** A declared parameter of a field or an edge: frozen data, which the functions of {@link parameter} create. */
export type Parameter<TInfo extends ParameterTypeInfo = ParameterTypeInfo> = {
  readonly kind: 'enum' | 'int' | 'float' | 'bool' | 'string' | 'datetime' | 'id'
  readonly type: FieldType
  readonly description: string
  /** The stored form of the default value, or `undefined` without a default. */
  readonly default: JsonValue | undefined
  readonly required: boolean
  /** The types of the node that an id may name, or `undefined` if they are not declared. */
  readonly types: readonly string[] | undefined
  readonly '~types'?: TInfo
}

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

type TypedParameter<TValue, TInput, TOptions> = Parameter<{
  value: TValue
  input: TInput
  alwaysPresent: TOptions extends
    | { readonly required: true }
    | { readonly default: string | number | boolean | Date }
    ? true
    : false
  required: TOptions extends { readonly required: true } ? true : false
}>

const OPTION_KINDS = {
  default: 'any',
  description: 'text',
  required: 'boolean',
} as const satisfies OptionKinds

const ID_OPTION_KINDS = { ...OPTION_KINDS, types: 'texts' } as const satisfies OptionKinds

const parseDefault = (location: string, type: FieldType, value: unknown): JsonValue | undefined => {
  if (value === undefined) return undefined
  try {
    return type.parse(value)
  } catch (issue) {
    if (!(issue instanceof ValidationIssue)) throw issue
    throw usageError(location, `default${issue.path}`, issue.expected, issue.received)
  }
}

const createParameter = <TValue, TInput, TOptions>(
  kind: Parameter['kind'],
  type: FieldType,
  options: (ParameterOptions<unknown> & { readonly types?: readonly string[] | undefined }) | undefined,
  optionKinds: OptionKinds = OPTION_KINDS,
): TypedParameter<TValue, TInput, TOptions> => {
  const location = `parameter.${kind}`
  assertOptionKinds(location, options, optionKinds)
  const defaultValue = parseDefault(location, type, options?.default)
  if (options?.required === true && defaultValue !== undefined)
    throw usageError(location, 'default', 'left out of a required parameter', describeValue(options.default))
  return Object.freeze({
    kind,
    type,
    description: options?.description ?? '',
    default: defaultValue,
    required: options?.required ?? false,
    types: options?.types && Object.freeze([...options.types]),
  })
}

/** The ids are resolved with the session of a call. Until then, any text is possible. */
const idType: FieldType = { ...stringType, name: 'id' }

/** The default of an id. Every other id would be the same for all graphs of a schema. */
const viewerType: FieldType = {
  ...stringType,
  parse(value) {
    if (value !== 'me') throw new ValidationIssue('"me"', value)
    return value
  },
}

/**
 * Declares the parameters of a field or an edge: one function for each type of value.
 *
 * @example
 * ```ts
 * import { edge, parameter } from 'kithgraph'
 *
 * const photos = edge('photo', {
 *   parameters: { type: parameter.enum(['tagged', 'uploaded'], { default: 'tagged' }) },
 *   list: ({ type }) => `photos_${type}`,
 * })
 * console.log(photos.parameters.type?.default) // tagged
 * ```
 */
export const parameter = Object.freeze({
  /** A word from a fixed set. */
  enum: <const TWord extends string, const TOptions extends ParameterOptions<TWord>>(
    words: readonly TWord[],
    options?: TOptions,
  ): TypedParameter<TWord, TWord, TOptions> => {
    if (!Array.isArray(words) || words.length === 0 || !words.every(word => isText(word) && word !== ''))
      throw usageError(
        'parameter.enum',
        'words',
        'an array of at least one string, none of them empty',
        describeValue(words),
      )
    return createParameter('enum', enumType(words), options)
  },
  /** An integer between -(2^53 - 1) and 2^53 - 1. */
  int: <const TOptions extends ParameterOptions<number>>(
    options?: TOptions,
  ): TypedParameter<number, number, TOptions> => createParameter('int', intType, options),
  /** A finite number. */
  float: <const TOptions extends ParameterOptions<number>>(
    options?: TOptions,
  ): TypedParameter<number, number, TOptions> => createParameter('float', floatType, options),
  /** True or false. In an expression or a URL also 1 or 0. */
  bool: <const TOptions extends ParameterOptions<boolean>>(
    options?: TOptions,
  ): TypedParameter<boolean, boolean, TOptions> => createParameter('bool', boolType, options),
  /** Text without lone surrogates. */
  string: <const TOptions extends ParameterOptions<string>>(
    options?: TOptions,
  ): TypedParameter<string, string, TOptions> => createParameter('string', stringType, options),
  /** A time: integer milliseconds, a `Date` or ISO 8601. Functions receive milliseconds. */
  datetime: <const TOptions extends ParameterOptions<number | string | Date>>(
    options?: TOptions,
  ): TypedParameter<number, number | string | Date, TOptions> =>
    createParameter('datetime', datetimeType, options),
  /**
   * The id of a node, as a caller knows it, or `me` for the viewer. Functions receive the stored id, or `'0'`,
   * which no node has, for an app-scoped id that is forged or belongs to another app.
   */
  id: <const TOptions extends IdParameterOptions>(
    options?: TOptions,
  ): TypedParameter<string, string, TOptions> => {
    parseDefault('parameter.id', viewerType, options?.default)
    return createParameter('id', idType, options, ID_OPTION_KINDS)
  },
})

const PARAMETER_KINDS: readonly unknown[] = ['enum', 'int', 'float', 'bool', 'string', 'datetime', 'id']

/** Whether a value was created by one of the functions of {@link parameter}. */
export const isParameter = (value: unknown): value is Parameter =>
  isNonArrayObject(value) && PARAMETER_KINDS.includes(value.kind) && isNonArrayObject(value.type)

/** Edges without parameters share this object, so that their lists are read together. */
export const NO_PARAMETERS: Parameters = Object.freeze({})

/**
 * Returns a frozen copy of declared parameters.
 *
 * @throws TypeError for a value that is not a parameter.
 */
export const toParameters = (location: string, parameters: object | undefined): Parameters => {
  for (const [name, value] of Object.entries(parameters ?? {})) {
    if (!isParameter(value))
      throw usageError(
        location,
        `parameters.${name}`,
        'a parameter, such as the result of parameter.int()',
        describeValue(value),
      )
  }
  return parameters === undefined ? NO_PARAMETERS : Object.freeze({ ...parameters })
}

/** Returns the words or truth values that a parameter may have, or `undefined` if the values are not finite. */
export const finiteValuesOf = ({ kind, type }: Parameter): readonly (string | boolean)[] | undefined => {
  if (kind === 'bool') return [false, true]
  return type.parts !== undefined && 'words' in type.parts ? type.parts.words : undefined
}
