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
  Flag,
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

type NodeTypes = { readonly types?: readonly string[] | undefined }

/** Creates a parameter. Only a parameter for actions has `parts`: the arguments besides its options. */
const createParameter = <TValue, TInput, TDefault, TRequired, TNullable>(
  kind: Parameter['kind'],
  type: FieldType,
  options: (ParameterOptions<unknown> & ActionParameter & NodeTypes) | undefined,
  optionKinds: OptionKinds = OPTION_KINDS,
  parts?: ActionParameter & NodeTypes,
): TypedParameter<TValue, TInput, TDefault, TRequired, TNullable> => {
  const location = `parameter.${kind}`
  assertOptionKinds(location, options, optionKinds)
  const properties = { ...options, ...parts }
  const { description = '', default: givenDefault, required = false, types, ...forActions } = properties
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
    forActions: isForActions ? Object.freeze(forActions) : undefined,
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
  enum: <
    const TWord extends string,
    TDefault extends TWord | undefined = undefined,
    TRequired extends Flag = undefined,
    TNullable extends Flag = undefined,
  >(
    words: readonly TWord[],
    options?: ParameterOptions<TDefault, TRequired, TNullable>,
  ): TypedParameter<TWord, TWord, TDefault, TRequired, TNullable> => {
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
  int: <
    TDefault extends number | undefined = undefined,
    TRequired extends Flag = undefined,
    TNullable extends Flag = undefined,
  >(
    options?: NumberParameterOptions<TDefault, TRequired, TNullable>,
  ): TypedParameter<number, number, TDefault, TRequired, TNullable> =>
    createParameter('int', intType, options, NUMBER_OPTION_KINDS),
  /** A finite number. */
  float: <
    TDefault extends number | undefined = undefined,
    TRequired extends Flag = undefined,
    TNullable extends Flag = undefined,
  >(
    options?: NumberParameterOptions<TDefault, TRequired, TNullable>,
  ): TypedParameter<number, number, TDefault, TRequired, TNullable> =>
    createParameter('float', floatType, options, NUMBER_OPTION_KINDS),
  /** True or false. In an expression or a URL also 1 or 0. */
  bool: <
    TDefault extends boolean | undefined = undefined,
    TRequired extends Flag = undefined,
    TNullable extends Flag = undefined,
  >(
    options?: ParameterOptions<TDefault, TRequired, TNullable>,
  ): TypedParameter<boolean, boolean, TDefault, TRequired, TNullable> =>
    createParameter('bool', boolType, options),
  /** Text without lone surrogates. */
  string: <
    TDefault extends string | undefined = undefined,
    TRequired extends Flag = undefined,
    TNullable extends Flag = undefined,
  >(
    options?: StringParameterOptions<TDefault, TRequired, TNullable>,
  ): TypedParameter<string, string, TDefault, TRequired, TNullable> =>
    createParameter('string', stringType, options, { ...OPTION_KINDS, maxLength: 'any' }),
  /** A time: integer milliseconds, a `Date` or ISO 8601. Functions receive milliseconds. */
  datetime: <
    TDefault extends number | string | Date | undefined = undefined,
    TRequired extends Flag = undefined,
    TNullable extends Flag = undefined,
  >(
    options?: ParameterOptions<TDefault, TRequired, TNullable>,
  ): TypedParameter<number, number | string | Date, TDefault, TRequired, TNullable> =>
    createParameter('datetime', datetimeType, options),
  /**
   * The id of a node, as a caller knows it, or `me` for the viewer. Functions receive the stored id, or `'0'`,
   * which no node has, for an app-scoped id that is forged or belongs to another app.
   */
  id: <
    TDefault extends 'me' | undefined = undefined,
    TRequired extends Flag = undefined,
    TNullable extends Flag = undefined,
  >(
    options?: IdParameterOptions<TDefault, TRequired, TNullable>,
  ): TypedParameter<string, string, TDefault, TRequired, TNullable> => {
    parseDefault('parameter.id', viewerType, options?.default)
    return createParameter('id', idType, options, { ...OPTION_KINDS, types: 'texts' })
  },
  /**
   * Only for actions: the id of a node that the viewer can see, or `me`. `run` receives the stored record of the node. Ids
   * inside of texts are not checked.
   */
  node: <
    const TTypes extends string | readonly string[],
    TRequired extends Flag = undefined,
    TNullable extends Flag = undefined,
  >(
    types: TTypes,
    options?: PlainParameterOptions<TRequired, TNullable>,
  ): TypedParameter<NodeOf<TargetNames<TTypes>>, string, undefined, TRequired, TNullable> =>
    createParameter('node', idType, options, PLAIN_OPTION_KINDS, {
      types: toNameList('parameter.node', types),
    }),
  /** Only for actions: a list. In a URL or a form, it is JSON, or values with commas between them. */
  list: <const TOf extends Parameter, TRequired extends Flag = undefined, TNullable extends Flag = undefined>(
    of: TOf,
    options?: ListParameterOptions<TRequired, TNullable>,
  ): TypedParameter<readonly ItemValue<TOf>[], readonly ItemInput<TOf>[], undefined, TRequired, TNullable> =>
    createParameter('list', idType, options, { ...PLAIN_OPTION_KINDS, maxItems: 'any' }, { items: of }),
  /** Only for actions: an object with fixed members, each declared as a parameter. In a URL or a form, it is JSON. */
  object: <
    const TMembers extends Parameters,
    TRequired extends Flag = undefined,
    TNullable extends Flag = undefined,
  >(
    members: TMembers,
    options?: PlainParameterOptions<TRequired, TNullable>,
  ): TypedParameter<ValuesOf<TMembers>, MemberInputs<TMembers>, undefined, TRequired, TNullable> =>
    createParameter('object', idType, options, PLAIN_OPTION_KINDS, { members }),
})
