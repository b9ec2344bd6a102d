import { describeValue } from '../base/describe.ts'
import { isText, type JsonValue } from '../base/json.ts'
import { assertObject, assertOptionKinds, type OptionKinds } from '../base/options.ts'
import { usageError } from '../base/usage-error.ts'
import { toNameList } from './field.ts'
import type { TargetNames } from './field-inference.ts'
import { type FieldType, ValidationIssue } from './field-type.ts'
import {
  assertParameter,
  type Parameter,
  type ParameterBounds,
  type ParameterParts,
  type Parameters,
  type ValuesOf,
} from './parameter.ts'
import type { ItemInput, ItemValue, MemberInputs, NodeOf, TypedParameter } from './parameter-inference.ts'
import type {
  IdParameterOptions,
  ListParameterOptions,
  NumberParameterOptions,
  ParameterOptions,
  PlainParameterOptions,
  StringParameterOptions,
} from './parameter-options.ts'
import { boolType, enumType, floatType, intType, stringType } from './scalar-types.ts'
import { listType, objectType } from './structured-types.ts'
import { datetimeType } from './time-types.ts'

const PLAIN_OPTION_KINDS = {
  description: 'text',
  required: 'boolean',
  nullable: 'boolean',
} as const satisfies OptionKinds

const OPTION_KINDS = { ...PLAIN_OPTION_KINDS, default: 'any' } as const satisfies OptionKinds
const ID_OPTION_KINDS = { ...OPTION_KINDS, types: 'texts' } as const satisfies OptionKinds
const NUMBER_OPTION_KINDS = { ...OPTION_KINDS, min: 'any', max: 'any' } as const satisfies OptionKinds
const STRING_OPTION_KINDS = { ...OPTION_KINDS, maxLength: 'any' } as const satisfies OptionKinds
const LIST_OPTION_KINDS = { ...PLAIN_OPTION_KINDS, maxItems: 'any' } as const satisfies OptionKinds

const DEFAULT_MAX_LENGTH = 65_536
const DEFAULT_MAX_ITEMS = 50

const parseDefault = (location: string, type: FieldType, value: unknown): JsonValue | undefined => {
  if (value === undefined) return undefined
  try {
    return type.parse(value)
  } catch (issue) {
    if (!(issue instanceof ValidationIssue)) throw issue
    throw usageError(location, `default${issue.path}`, issue.expected, issue.received)
  }
}

/** The options that the parameters of some kinds have. */
type CommonOptions = ParameterOptions<unknown> &
  ParameterBounds & { readonly types?: readonly string[] | undefined }

const createParameter = <TValue, TInput, TOptions>(
  kind: Parameter['kind'],
  type: FieldType,
  options: CommonOptions | undefined,
  optionKinds: OptionKinds = OPTION_KINDS,
  parts?: ParameterParts,
): TypedParameter<TValue, TInput, TOptions> => {
  const location = `parameter.${kind}`
  assertOptionKinds(location, options, optionKinds)
  const { min, max, maxLength } = options ?? {}
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
    nullable: options?.nullable ?? false,
    bounds: Object.freeze({ min, max, maxLength }),
    parts,
  })
}

/** @throws TypeError for a bound that is not a number, or for a size that is not a positive integer. */
const assertBound = (location: string, name: string, value: unknown, isSize: boolean): void => {
  if (
    value === undefined ||
    (isSize ? Number.isSafeInteger(value) && Number(value) > 0 : Number.isFinite(value))
  )
    return
  const expected = isSize ? 'an integer of at least 1' : 'a finite number'
  throw usageError(location, name, expected, describeValue(value))
}

/** Returns a type whose values are limited. */
const limitType = <TOutput extends JsonValue>(
  type: FieldType<TOutput>,
  limitText: string,
  isWithin: (value: JsonValue) => boolean,
): FieldType<TOutput> => ({
  ...type,
  parse(value) {
    const parsed = type.parse(value)
    if (!isWithin(parsed)) throw new ValidationIssue(limitText, value)
    return parsed
  },
})

const createNumber = <const TOptions extends NumberParameterOptions>(
  kind: 'int' | 'float',
  type: FieldType<number>,
  options: TOptions | undefined,
): TypedParameter<number, number, TOptions> => {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = options ?? {}
  for (const name of ['min', 'max'] as const) assertBound(`parameter.${kind}`, name, options?.[name], false)
  const limits = [
    ...(options?.min === undefined ? [] : [`at least ${min}`]),
    ...(options?.max === undefined ? [] : [`at most ${max}`]),
  ]
  const isWithin = (value: JsonValue): boolean => Number(value) >= min && Number(value) <= max
  const limitedType =
    limits.length === 0 ? type : limitType(type, `a number of ${limits.join(' and ')}`, isWithin)
  return createParameter(kind, limitedType, options, NUMBER_OPTION_KINDS)
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
  int: <const TOptions extends NumberParameterOptions>(
    options?: TOptions,
  ): TypedParameter<number, number, TOptions> => createNumber('int', intType, options),
  /** A finite number. */
  float: <const TOptions extends NumberParameterOptions>(
    options?: TOptions,
  ): TypedParameter<number, number, TOptions> => createNumber('float', floatType, options),
  /** True or false. In an expression or a URL also 1 or 0. */
  bool: <const TOptions extends ParameterOptions<boolean>>(
    options?: TOptions,
  ): TypedParameter<boolean, boolean, TOptions> => createParameter('bool', boolType, options),
  /** Text without lone surrogates. */
  string: <const TOptions extends StringParameterOptions>(
    options?: TOptions,
  ): TypedParameter<string, string, TOptions> => {
    const { maxLength = DEFAULT_MAX_LENGTH } = options ?? {}
    assertBound('parameter.string', 'maxLength', maxLength, true)
    const isWithin = (value: JsonValue): boolean => `${value}`.length <= maxLength
    const type = limitType(stringType, `a well-formed string of at most ${maxLength} characters`, isWithin)
    return createParameter('string', type, { ...options, maxLength }, STRING_OPTION_KINDS)
  },
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
  /**
   * Only for actions: the id of a node that the viewer can see, or `me`. `run` receives the stored record of the node.
   */
  node: <const TTypes extends string | readonly string[], const TOptions extends PlainParameterOptions>(
    types: TTypes,
    options?: TOptions,
  ): TypedParameter<NodeOf<TargetNames<TTypes>>, string, TOptions> => {
    assertOptionKinds('parameter.node', options, PLAIN_OPTION_KINDS)
    return createParameter(
      'node',
      idType,
      { ...options, types: toNameList('parameter.node', types) },
      ID_OPTION_KINDS,
    )
  },
  /** Only for actions: a list. In a URL or a form, it is JSON, or values with commas between them. */
  list: <const TOf extends Parameter, const TOptions extends ListParameterOptions>(
    of: TOf,
    options?: TOptions,
  ): TypedParameter<readonly ItemValue<TOf>[], readonly ItemInput<TOf>[], TOptions> => {
    assertParameter('parameter.list', 'of', of)
    const { maxItems = DEFAULT_MAX_ITEMS } = options ?? {}
    assertBound('parameter.list', 'maxItems', maxItems, true)
    const parts = Object.freeze({ items: of, maxItems })
    return createParameter('list', listType(of.type), options, LIST_OPTION_KINDS, parts)
  },
  /** Only for actions: an object with fixed members, each declared as a parameter. In a URL or a form, it is JSON. */
  object: <const TMembers extends Parameters, const TOptions extends PlainParameterOptions>(
    members: TMembers,
    options?: TOptions,
  ): TypedParameter<ValuesOf<TMembers>, MemberInputs<TMembers>, TOptions> => {
    assertObject('parameter.object', members, 'members')
    for (const [name, member] of Object.entries(members))
      assertParameter('parameter.object', `members.${name}`, member)
    const parts = Object.freeze({ members: Object.freeze({ ...members }) })
    const type = objectType(new Map(Object.entries(members)))
    return createParameter('object', type, options, PLAIN_OPTION_KINDS, parts)
  },
})
