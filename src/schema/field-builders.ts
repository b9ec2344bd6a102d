import { describe } from '../base/describe.ts'
import { assertKinds, assertObject, type OptionKinds } from '../base/options.ts'
import {
  COMMON_OPTIONS,
  commonOf,
  EDGE_TIME_OPTIONS,
  type EdgeTimeField,
  type Field,
  type FieldOptions,
  type ListOptions,
  REF_OPTIONS,
  type RefField,
  type Typed,
  type ValueField,
  type ValueOptions,
  type ViewerEdgeField,
} from './field.ts'
import type {
  Flag,
  InputOf,
  Members,
  Names,
  ObjectInput,
  ObjectOutput,
  OutputOf,
  Sure,
  Value,
} from './field-inference.ts'
import type { CustomFieldType, FieldType } from './field-type.ts'
import { innerTypeOf, memberOf } from './inner-type.ts'
import { namesOf } from './names.ts'
import { type Picture, type PictureInput, pictureParameters, pictureType } from './picture-type.ts'
import {
  boolType,
  enumType,
  floatType,
  intType,
  isText,
  numericStringType,
  stringType,
  urlType,
} from './scalar-types.ts'
import { listType, mapType, objectType } from './structured-types.ts'
import {
  type AgeRange,
  ageRangeType,
  type BirthdayInput,
  birthdayType,
  datetimeType,
  unixtimeType,
} from './time-types.ts'
import { valueField } from './value-field.ts'

const AGE_RANGE_OPTIONS = { ...COMMON_OPTIONS, from: 'text' } as const satisfies OptionKinds

type RefOptions = FieldOptions & { readonly required?: boolean | undefined }

type DateInput = number | string | Date

/** A builder for fields of one type: `field.string({ default: true })`. */
type Builder<TOutput, TInput> = <const TOptions extends ValueOptions<TInput>>(
  options?: TOptions,
) => Value<TOutput, TInput, TOptions>

const builder =
  <TOutput, TInput>(name: string, type: FieldType): Builder<TOutput, TInput> =>
  options =>
    valueField(`field.${name}`, type, options)

/**
 * Declares the fields of a schema: one function for each type of value.
 *
 * @example
 * ```ts
 * import { defineSchema, edge, field, node } from 'kithgraph'
 *
 * const schema = defineSchema({
 *   book: node({
 *     description: 'A book of the library.',
 *     fields: {
 *       title: field.string({ default: true, required: true, description: 'As printed on the cover.' }),
 *       printed: field.datetime({ description: 'When it left the press.' }),
 *       author: field.ref('person', { description: 'Who wrote it.' }),
 *     },
 *   }),
 *   person: node({ fields: { name: field.string({ default: true }) }, edges: { books: edge('book') } }),
 * })
 * console.log(Object.keys(schema.types)) // [ 'book', 'person' ]
 * ```
 */
export const field = Object.freeze({
  /** Text without lone surrogates. */
  string: builder<string, string>('string', stringType),
  /** Text of digits, for numbers that a JavaScript number cannot hold. */
  numericString: builder<string, string>('numericString', numericStringType),
  /** True or false. */
  bool: builder<boolean, boolean>('bool', boolType),
  /** An integer of at most 2^53 - 1. */
  int: builder<number, number>('int', intType),
  /** A finite number. */
  float: builder<number, number>('float', floatType),
  /** A URL, or a path that begins with `/`. Of any scheme, `javascript:` included: whoever makes links of it has to look. */
  url: builder<string, string>('url', urlType),
  /** Written as integer milliseconds, a `Date` or ISO 8601; answered as `YYYY-MM-DDThh:mm:ss+0000`. */
  datetime: builder<string, DateInput>('datetime', datetimeType),
  /** Written as whole seconds, a `Date` or ISO 8601; answered as whole seconds. */
  unixtime: builder<number, DateInput>('unixtime', unixtimeType),
  /** Written as `YYYY-MM-DD` or `{ date, show }`; answered as `MM/DD/YYYY`, `YYYY` or `MM/DD`. */
  birthday: builder<string, BirthdayInput>('birthday', birthdayType),
  /** Written as `{ url, width, height }` or a list of them; answered as the size that the parameters choose. */
  picture: <const TOptions extends FieldOptions>(
    options?: TOptions,
  ): Value<Picture, PictureInput, TOptions & { readonly parameters: typeof pictureParameters }> =>
    valueField('field.picture', pictureType, options, {
      parameters: pictureParameters,
      kinds: COMMON_OPTIONS,
    }),
  /** Computed from the node's birthday, which `from` names (default `birthday`): `{ min, max }`, whole years. */
  ageRange: <const TOptions extends FieldOptions & { readonly from?: string }>(
    options?: TOptions,
  ): Typed<
    ValueField,
    {
      output: AgeRange
      input: never
      required: false
      sure: false
      default: Flag<TOptions, 'default'>
      targets: never
      parameters: never
    }
  > => {
    assertKinds('field.ageRange', options, AGE_RANGE_OPTIONS)
    const { from = 'birthday', ...rest } = options ?? {}
    return valueField('field.ageRange', ageRangeType, rest, { from })
  },
  /** One of a closed set of words. */
  enum: <const TWord extends string, const TOptions extends ValueOptions<TWord>>(
    words: readonly TWord[],
    options?: TOptions,
  ): Value<TWord, TWord, TOptions> => {
    if (!Array.isArray(words) || words.length === 0)
      throw new TypeError(`field.enum: expected a list of words, came ${describe(words)}`)
    const noWord = words.findIndex(word => !isText(word))
    if (noWord >= 0)
      throw new TypeError(`field.enum: [${noWord}] must be well-formed text, came ${describe(words[noWord])}`)
    return valueField('field.enum', enumType(words), options)
  },
  /** Values of one type, in order: `field.list(field.string())`. */
  list: <const TOf extends Field, const TOptions extends ListOptions<readonly InputOf<TOf>[]>>(
    of: TOf,
    options?: TOptions,
  ): Value<OutputOf<TOf>[], readonly InputOf<TOf>[], TOptions> =>
    valueField('field.list', listType(innerTypeOf('field.list', of)), options),
  /** Values of one type under any names: `field.map(field.int())`. */
  map: <
    const TOf extends Field,
    const TOptions extends ListOptions<{ readonly [key: string]: InputOf<TOf> }>,
  >(
    of: TOf,
    options?: TOptions,
  ): Value<{ [key: string]: OutputOf<TOf> }, { readonly [key: string]: InputOf<TOf> }, TOptions> =>
    valueField('field.map', mapType(innerTypeOf('field.map', of)), options),
  /** An object with named members, each declared as a field: `field.object({ width: field.int() })`. */
  object: <const TMembers extends Members, const TOptions extends ValueOptions<ObjectInput<TMembers>>>(
    members: TMembers,
    options?: TOptions,
  ): Value<ObjectOutput<TMembers>, ObjectInput<TMembers>, TOptions> => {
    assertObject('field.object', members)
    const declared = Object.entries(members).map(
      ([name, member]) => [name, memberOf(`field.object: ${name}`, member)] as const,
    )
    return valueField('field.object', objectType(new Map(declared)), options)
  },
  /** A value of a type that {@link defineFieldType} made. */
  of: <TOutput, TInput, const TOptions extends ValueOptions<TInput>>(
    type: CustomFieldType<TOutput, TInput>,
    options?: TOptions,
  ): Value<TOutput, TInput, TOptions> => {
    if (typeof type?.parse !== 'function') {
      throw new TypeError(`field.of: expected what defineFieldType made, came ${describe(type)}`)
    }
    return valueField('field.of', type, options)
  },
  /** The id of a node of one of the named types; answered as that node. */
  ref: <const TTargets extends string | readonly string[], const TOptions extends RefOptions>(
    targets: TTargets,
    options?: TOptions,
  ): Typed<
    RefField,
    {
      output: unknown
      input: string
      required: Flag<TOptions, 'required'>
      sure: false
      default: Flag<TOptions, 'default'>
      targets: Names<TTargets>
      parameters: never
    }
  > =>
    Object.freeze({
      kind: 'ref',
      ...commonOf('field.ref', options, REF_OPTIONS),
      targets: namesOf('field.ref', targets),
    }),
  /** Whether the node has an edge of that name to the viewer; false for a token without one. */
  viewerEdge: <const TOptions extends FieldOptions = Record<never, never>>(
    edge: string,
    options?: TOptions & FieldOptions,
  ): Typed<
    ViewerEdgeField,
    {
      output: boolean
      input: never
      required: false
      sure: Sure<TOptions & { readonly required: true }>
      default: Flag<TOptions, 'default'>
      targets: never
      parameters: never
    }
  > => {
    if (typeof edge !== 'string') {
      throw new TypeError(`field.viewerEdge: expected the name of an edge, came ${describe(edge)}`)
    }
    return Object.freeze({ kind: 'viewerEdge', ...commonOf('field.viewerEdge', options), edge })
  },
  /** The time of the edge itself, for the `fields` of an edge; answered as `YYYY-MM-DDThh:mm:ss+0000`. */
  edgeTime: <const TOptions extends Omit<FieldOptions, 'policy'> = Record<never, never>>(
    options?: TOptions,
  ): Typed<
    EdgeTimeField,
    {
      output: string
      input: never
      required: false
      sure: Sure<TOptions & { readonly required: true }>
      default: false
      targets: never
      parameters: never
    }
  > => Object.freeze({ kind: 'edgeTime', ...commonOf('field.edgeTime', options, EDGE_TIME_OPTIONS) }),
})
