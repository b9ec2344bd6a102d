import { describeValue } from '../base/describe.ts'
import type { RawId } from '../base/ids.ts'
import { isText, type JsonValue } from '../base/json.ts'
import { assertObject, assertOptionKinds, type OptionKinds } from '../base/options.ts'
import { usageError } from '../base/usage-error.ts'
import {
  COMMON_FIELD_OPTION_KINDS,
  EDGE_TIME_FIELD_OPTION_KINDS,
  type EdgeTimeField,
  type Field,
  type FieldOptions,
  type ListOptions,
  REF_FIELD_OPTION_KINDS,
  type RefField,
  type StoredFieldOptions,
  toCommonField,
  toNameList,
  type ValueField,
  type ValueOptions,
  type WithTypeInfo,
} from './field.ts'
import type {
  AlwaysPresent,
  HasFlag,
  InputOf,
  ObjectInput,
  ObjectMembers,
  ObjectOutput,
  OutputOf,
  TargetNames,
  TypedValueField,
  TypedViewerEdgeField,
} from './field-inference.ts'
import type { CustomFieldType } from './field-type.ts'
import { toInnerType, toMemberType } from './inner-type.ts'
import { jsonType } from './json-type.ts'
import { type Picture, type PictureInput, pictureParameters, pictureType } from './picture-type.ts'
import {
  boolType,
  enumType,
  floatType,
  intType,
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
  dateType,
  datetimeType,
  unixtimeType,
} from './time-types.ts'
import { createFieldBuilder, createValueField } from './value-field.ts'
import { createViewerEdge, type ViewerEdgeOptions } from './viewer-edge-field.ts'

const AGE_RANGE_OPTION_KINDS = { ...COMMON_FIELD_OPTION_KINDS, from: 'text' } as const satisfies OptionKinds

const WORD_EXPECTED = 'a well-formed string'

type RefOptions = FieldOptions & StoredFieldOptions

type DateInput = number | string | Date

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
  string: createFieldBuilder<string, string>('string', stringType),
  /** Text of 1 to 64 digits, for numbers that a JavaScript number cannot represent. */
  numericString: createFieldBuilder<string, string>('numericString', numericStringType),
  /** True or false. */
  bool: createFieldBuilder<boolean, boolean>('bool', boolType),
  /** An integer between -(2^53 - 1) and 2^53 - 1. */
  int: createFieldBuilder<number, number>('int', intType),
  /** A finite number. */
  float: createFieldBuilder<number, number>('float', floatType),
  /** A URL, or a path that begins with `/`. Any scheme is valid, even `javascript:`. Check it before use. */
  url: createFieldBuilder<string, string>('url', urlType),
  /** A time: integer milliseconds, a `Date` or ISO 8601. It is returned as `YYYY-MM-DDThh:mm:ss+0000`. */
  datetime: createFieldBuilder<string, DateInput>('datetime', datetimeType),
  /** A time: whole seconds, a `Date` or ISO 8601. It is returned as whole seconds. */
  unixtime: createFieldBuilder<number, DateInput>('unixtime', unixtimeType),
  /** A calendar date: `YYYY-MM-DD`, from 0001-01-01 to 9999-12-31, without a time zone. */
  date: createFieldBuilder<string, string>('date', dateType),
  /** A birthday: `YYYY-MM-DD` or `{ date, show }`. It is returned as `MM/DD/YYYY`, `YYYY` or `MM/DD`. */
  birthday: createFieldBuilder<string, BirthdayInput>('birthday', birthdayType),
  /** A picture: `{ url, width, height }` or a list of such objects. The parameters choose the size. */
  picture: <const TOptions extends FieldOptions>(
    options?: TOptions,
  ): TypedValueField<Picture, PictureInput, TOptions & { readonly parameters: typeof pictureParameters }> =>
    createValueField('field.picture', pictureType, options, {
      parameters: pictureParameters,
      kinds: COMMON_FIELD_OPTION_KINDS,
    }),
  /** An age segment `{ min, max }` in whole years, computed from the field `from` (default `birthday`). */
  ageRange: <const TOptions extends FieldOptions & { readonly from?: string }>(
    options?: TOptions,
  ): WithTypeInfo<
    ValueField,
    {
      output: AgeRange
      input: never
      required: false
      alwaysPresent: false
      default: HasFlag<TOptions, 'default'>
      targets: never
      parameters: never
    }
  > => {
    assertOptionKinds('field.ageRange', options, AGE_RANGE_OPTION_KINDS)
    const { from = 'birthday', ...otherOptions } = options ?? {}
    return createValueField('field.ageRange', ageRangeType, otherOptions, { from })
  },
  /** A word from a fixed set. */
  enum: <const TWord extends string, const TOptions extends ValueOptions<TWord>>(
    words: readonly TWord[],
    options?: TOptions,
  ): TypedValueField<TWord, TWord, TOptions> => {
    if (!Array.isArray(words) || words.length === 0)
      throw usageError('field.enum', 'words', 'an array of at least one string', describeValue(words))
    const badIndex = words.findIndex(word => !isText(word))
    if (badIndex >= 0)
      throw usageError('field.enum', `words[${badIndex}]`, WORD_EXPECTED, describeValue(words[badIndex]))
    return createValueField('field.enum', enumType(words), options)
  },
  /** A list whose values all have the same type: `field.list(field.string())`. */
  list: <const TOf extends Field, const TOptions extends ListOptions<readonly InputOf<TOf>[]>>(
    of: TOf,
    options?: TOptions,
  ): TypedValueField<OutputOf<TOf>[], readonly InputOf<TOf>[], TOptions> =>
    createValueField('field.list', listType(toInnerType('field.list', 'of', of)), options),
  /** An object with any names, whose values all have the same type: `field.map(field.int())`. */
  map: <
    const TOf extends Field,
    const TOptions extends ListOptions<{ readonly [key: string]: InputOf<TOf> }>,
  >(
    of: TOf,
    options?: TOptions,
  ): TypedValueField<{ [key: string]: OutputOf<TOf> }, { readonly [key: string]: InputOf<TOf> }, TOptions> =>
    createValueField('field.map', mapType(toInnerType('field.map', 'of', of)), options),
  /** An object with fixed members, each declared as a field: `field.object({ width: field.int() })`. */
  object: <const TMembers extends ObjectMembers, const TOptions extends ValueOptions<ObjectInput<TMembers>>>(
    members: TMembers,
    options?: TOptions,
  ): TypedValueField<ObjectOutput<TMembers>, ObjectInput<TMembers>, TOptions> => {
    assertObject('field.object', members, 'members')
    const memberTypes = Object.entries(members).map(
      ([name, member]) => [name, toMemberType('field.object', `members.${name}`, member)] as const,
    )
    return createValueField('field.object', objectType(new Map(memberTypes)), options)
  },
  /**
   * Any JSON, of at most 100 levels and 100,000 values. `{…}` in an expression selects members of its objects.
   * `TValue` is only a type: values are not checked against it. If you give `TValue`, repeat the options that other
   * types depend on: `field.json<Settings, { required: true }>({ required: true })`.
   */
  json: <
    TValue extends JsonValue = JsonValue,
    const TOptions extends ListOptions<TValue> = FieldOptions & { readonly default?: false },
  >(
    options?: TOptions,
  ): TypedValueField<TValue, TValue, TOptions> => createValueField('field.json', jsonType, options),
  /** A value of a type that {@link defineFieldType} returned. */
  of: <TOutput, TInput, const TOptions extends ValueOptions<TInput>>(
    type: CustomFieldType<TOutput, TInput>,
    options?: TOptions,
  ): TypedValueField<TOutput, TInput, TOptions> => {
    if (typeof type?.parse !== 'function') {
      throw usageError('field.of', 'type', 'a type that defineFieldType() returns', describeValue(type))
    }
    return createValueField('field.of', type, options)
  },
  /** A reference to a node of one of the given types. It is written as an id and returned as the node. */
  ref: <const TTargets extends string | readonly string[], const TOptions extends RefOptions>(
    targets: TTargets,
    options?: TOptions,
  ): WithTypeInfo<
    RefField,
    {
      output: unknown
      input: RawId
      required: HasFlag<TOptions, 'required'>
      alwaysPresent: false
      default: HasFlag<TOptions, 'default'>
      targets: TargetNames<TTargets>
      parameters: never
    }
  > =>
    Object.freeze({
      kind: 'ref',
      ...toCommonField('field.ref', options, REF_FIELD_OPTION_KINDS),
      targets: toNameList('field.ref', targets),
    }),
  /**
   * Whether the node has the edge with the given name to the viewer; false without a viewer. With `field`, the value
   * of that field of the edge, or its time: left out without an edge or a viewer.
   */
  viewerEdge: <const TEdge extends string, const TOptions extends ViewerEdgeOptions = Record<never, never>>(
    edge: TEdge,
    options?: TOptions & ViewerEdgeOptions,
  ): TypedViewerEdgeField<TEdge, TOptions> => createViewerEdge(edge, options),
  /** The time of an edge, for the edge's `fields`. It is returned as `YYYY-MM-DDThh:mm:ss+0000`. */
  edgeTime: <const TOptions extends Omit<FieldOptions, 'policy'> = Record<never, never>>(
    options?: TOptions,
  ): WithTypeInfo<
    EdgeTimeField,
    {
      output: string
      input: never
      required: false
      alwaysPresent: AlwaysPresent<TOptions & { readonly required: true }>
      default: false
      targets: never
      parameters: never
    }
  > =>
    Object.freeze({
      kind: 'edgeTime',
      ...toCommonField('field.edgeTime', options, EDGE_TIME_FIELD_OPTION_KINDS),
    }),
})
