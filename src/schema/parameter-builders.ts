import { describeValue } from '../base/describe.ts'
import { isText, type JsonValue } from '../base/json.ts'
import { assertOptionKinds, type OptionKinds } from '../base/options.ts'
import { usageError } from '../base/usage-error.ts'
import { toNameList } from './field.ts'
import type { TargetNames } from './field-inference.ts'
import { type FieldType, ValidationIssue } from './field-type.ts'
import type { ActionParameter, Parameter, Parameters, ValuesOf } from './parameter.ts'
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
import { datetimeType } from './time-types.ts'

/** The options of all kinds. */
const PLAIN_OPTION_KINDS = {
  description: 'text',
  required: 'boolean',
  nullable: 'boolean',
} as const satisfies OptionKinds

const OPTION_KINDS = { ...PLAIN_OPTION_KINDS, default: 'any' } as const satisfies OptionKinds

/** `kithgraph/actions` checks the values of limits. */
const NUMBER_OPTION_KINDS = { ...OPTION_KINDS, min: 'any', max: 'any' } as const satisfies OptionKinds

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
  options:
    | (ParameterOptions<unknown> & ActionParameter & { readonly types?: readonly string[] | undefined })
    | undefined,
  optionKinds: OptionKinds = OPTION_KINDS,
  parts?: ActionParameter,
): TypedParameter<TValue, TInput, TOptions> => {
  const location = `parameter.${kind}`
  assertOptionKinds(location, options, optionKinds)
  const { description = '', default: givenDefault, required = false, types, ...forActions } = options ?? {}
  const defaultValue = parseDefault(location, type, givenDefault)
  if (required && defaultValue !== undefined)
    throw usageError(location, 'default', 'left out of a required parameter', describeValue(givenDefault))
  const isForActions = parts !== undefined || Object.keys(forActions).length > 0
  return Object.freeze({
    kind,
    type,
    description,
    default: defaultValue,
    required,
    types: types && Object.freeze([...types]),
    forActions: isForActions ? Object.freeze({ ...forActions, ...parts }) : undefined,
  })
}

/** The ids are resolved with the session of a call. Until then, any text is possible. */
const idType: FieldType = { ...stringType, name: 'id' }

/** The default of an id. Every other id would be the same for all graphs of a schema. */
const viewerType = enumType(['me'])

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
  ): TypedParameter<number, number, TOptions> =>
    createParameter('int', intType, options, NUMBER_OPTION_KINDS),
  /** A finite number. */
  float: <const TOptions extends NumberParameterOptions>(
    options?: TOptions,
  ): TypedParameter<number, number, TOptions> =>
    createParameter('float', floatType, options, NUMBER_OPTION_KINDS),
  /** True or false. In an expression or a URL also 1 or 0. */
  bool: <const TOptions extends ParameterOptions<boolean>>(
    options?: TOptions,
  ): TypedParameter<boolean, boolean, TOptions> => createParameter('bool', boolType, options),
  /** Text without lone surrogates. */
  string: <const TOptions extends StringParameterOptions>(
    options?: TOptions,
  ): TypedParameter<string, string, TOptions> =>
    createParameter('string', stringType, options, { ...OPTION_KINDS, maxLength: 'any' }),
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
    return createParameter('id', idType, options, { ...OPTION_KINDS, types: 'texts' })
  },
  /**
   * Only for actions: the id of a node that the viewer can see, or `me`. `run` receives the stored record of the node. Ids
   * inside of texts are not checked.
   */
  node: <const TTypes extends string | readonly string[], const TOptions extends PlainParameterOptions>(
    types: TTypes,
    options?: TOptions,
  ): TypedParameter<NodeOf<TargetNames<TTypes>>, string, TOptions> =>
    createParameter(
      'node',
      idType,
      { ...options, types: toNameList('parameter.node', types) },
      { ...PLAIN_OPTION_KINDS, types: 'texts' },
      {},
    ),
  /** Only for actions: a list. In a URL or a form, it is JSON, or values with commas between them. */
  list: <const TOf extends Parameter, const TOptions extends ListParameterOptions>(
    of: TOf,
    options?: TOptions,
  ): TypedParameter<readonly ItemValue<TOf>[], readonly ItemInput<TOf>[], TOptions> =>
    createParameter('list', idType, options, { ...PLAIN_OPTION_KINDS, maxItems: 'any' }, { items: of }),
  /** Only for actions: an object with fixed members, each declared as a parameter. In a URL or a form, it is JSON. */
  object: <const TMembers extends Parameters, const TOptions extends PlainParameterOptions>(
    members: TMembers,
    options?: TOptions,
  ): TypedParameter<ValuesOf<TMembers>, MemberInputs<TMembers>, TOptions> =>
    createParameter('object', idType, options, PLAIN_OPTION_KINDS, { members }),
})
