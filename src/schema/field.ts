import type { Awaitable } from '../base/awaitable.ts'
import { describeValue } from '../base/describe.ts'
import { isNonArrayObject } from '../base/json.ts'
import { assertOptionKinds, type OptionKinds } from '../base/options.ts'
import type { Session } from '../base/session.ts'
import { usageError } from '../base/usage-error.ts'
import type { NodeRecord } from '../store/contract.ts'
import type { FieldType } from './field-type.ts'
import type { ConstantParameters, Parameters, ParameterValues } from './parameter.ts'
import { isPolicy, type Policy, toPolicy } from './policy.ts'

/** The properties of a call that a `resolve` function receives as its second argument. */
export type ResolveContext = {
  readonly session: Session
  readonly parameters: ParameterValues
  readonly signal: AbortSignal | undefined
  /** The time in milliseconds since the epoch, the same throughout a call. */
  readonly now: number
}

/**
 * Computes a field for all records of a level at once. The result is an array with a value for each record,
 * in the same order. Each value has the form that a write accepts. `undefined` leaves the field out. An
 * `Error` leaves the field out and is reported like an invalid value. If the function throws, the call fails.
 */
export type FieldResolver<TInput> = (
  records: readonly NodeRecord[],
  context: ResolveContext,
) => Awaitable<readonly (TInput | Error | undefined)[]>

/** The options of every field. */
export type FieldOptions = {
  /** The description in `metadata`. */
  readonly description?: string | undefined
  /** Whether a result contains the field if a call does not specify `fields`. */
  readonly default?: boolean | undefined
  /**
   * The scope that a token must have. Without the scope, the field is left out. If the field is a ref, the
   * call fails.
   */
  readonly scope?: string | undefined
  /**
   * The policy of the field. If it denies, the field is left out. Default: everyone who can see the node can
   * see the field.
   */
  readonly policy?: Policy | undefined
  /** The first version that has the field. */
  readonly since?: string | undefined
  /** The first version that no longer has the field. */
  readonly removedIn?: string | undefined
  /** The deprecation message, which `debug` shows. It explains what to use instead. */
  readonly deprecated?: string | undefined
}

/** The options about the values that are stored. At most one of them is true. */
export type StoredFieldOptions = {
  /** Whether a written node or edge must contain the field. */
  readonly required?: boolean | undefined
  /**
   * Whether every stored node or edge has the field, although a write need not contain it: the column of a database
   * with a default, for example.
   */
  readonly present?: boolean | undefined
}

type ComputableFieldOptions<TInput> = FieldOptions &
  StoredFieldOptions & {
    /** The parameters of a computed field: `{ size: parameter.int() }`. */
    readonly parameters?: Parameters | undefined
    /** Computes the values of the field. A write cannot set a computed field. */
    readonly resolve?: FieldResolver<TInput> | undefined
    /**
     * The names of the stored fields of the record that `resolve` reads. A store may leave out other fields. Without
     * `reads`, `resolve` receives all fields.
     */
    readonly reads?: readonly string[] | undefined
  }

/** The options of a field with a value. */
export type ValueOptions<TInput> = ComputableFieldOptions<TInput> &
  (
    | {
        readonly resolve: FieldResolver<TInput>
        /**
         * The cost of the value in each record, an integer of at least 1. Default 1, or 5 for a list or a
         * map.
         */
        readonly weight?: number | undefined
      }
    | { readonly weight?: undefined }
  )

/** The options of a list or a map, computed or not. */
export type ListOptions<TInput> = ComputableFieldOptions<TInput> & {
  /**
   * The cost of the value in each record, an integer of at least 1. Use a higher number for long lists.
   * Default 5.
   */
  readonly weight?: number | undefined
}

type CommonField = {
  readonly description: string
  readonly default: boolean
  readonly required: boolean
  readonly present: boolean
  readonly scope: string | undefined
  readonly policy: Policy | undefined
  readonly since: string | undefined
  readonly removedIn: string | undefined
  readonly deprecated: string | undefined
}

/** A field with a value, stored or computed. */
export type ValueField = CommonField & {
  readonly kind: 'value'
  readonly type: FieldType
  readonly parameters: Parameters
  /** The name of the field whose stored value this field uses, or `undefined` if it uses its own value. */
  readonly from: string | undefined
  readonly resolve: FieldResolver<unknown> | undefined
  /** The stored fields that `resolve` reads, or `undefined` for all fields. */
  readonly reads: readonly string[] | undefined
  /** The cost of the value in each record, or `undefined` to use the cost of the field's type. */
  readonly weight: number | undefined
}

/** A field that stores the id of a node and returns the node. */
export type RefField = CommonField & { readonly kind: 'ref'; readonly targets: readonly string[] }

/**
 * A field that returns whether the record has the edge `edge` to the viewer, or the value of a field of that edge.
 */
export type ViewerEdgeField = CommonField & {
  readonly kind: 'viewerEdge'
  readonly edge: string
  /** The name of the edge's field, or `undefined` for whether the edge exists. */
  readonly field: string | undefined
  /** The constant values of the parameters that choose the stored list of the edge. */
  readonly parameters: ConstantParameters | undefined
}

/** A field that returns the time of the edge that leads to an entry. */
export type EdgeTimeField = CommonField & { readonly kind: 'edgeTime' }

/**
 * The type information of a field, from which the types of results and writes are inferred. It does not exist
 * at run time.
 */
export type FieldTypeInfo = {
  /** The type in a result. */
  output: unknown
  /** The type in a write, or `never` if a write cannot set the field. */
  input: unknown
  /** Whether a written node or edge must contain the field. */
  required: boolean
  /** Whether a result always has the field if it is requested. */
  alwaysPresent: boolean
  /** Whether a result contains the field if a call does not specify `fields`. */
  default: boolean
  /** The types that a ref leads to, or `never` for other fields. */
  targets: string
  /** The names of the field's parameters, or `never` if it has none. */
  parameters: string
}

/** A declared field of one kind, with its type information. */
export type WithTypeInfo<TField, TInfo extends FieldTypeInfo> = TField & { readonly '~types'?: TInfo }

/** A declared field: frozen data, which the functions of {@link field} create. */
export type Field<TInfo extends FieldTypeInfo = FieldTypeInfo> = WithTypeInfo<
  ValueField | RefField | ViewerEdgeField | EdgeTimeField,
  TInfo
>

/** A declared field of an edge: a stored value, or the time of the edge. */
export type EdgeField = WithTypeInfo<ValueField | EdgeTimeField, FieldTypeInfo>

/** A field that an edge cannot have. Its member is the text that a compile error shows. */
export type NoEdgeField<TText extends string> = { readonly kind: 'ref' | 'viewerEdge' } & {
  readonly [N in TText]: never
}

/** The options of an edge time. It has no policy, because the policy of an edge applies to the whole list. */
export const EDGE_TIME_FIELD_OPTION_KINDS = {
  description: 'text',
  default: 'boolean',
  scope: 'text',
  since: 'text',
  removedIn: 'text',
  deprecated: 'text',
} as const satisfies OptionKinds

/** The options that all kinds of fields except edge times have. */
export const COMMON_FIELD_OPTION_KINDS = {
  ...EDGE_TIME_FIELD_OPTION_KINDS,
  policy: 'any',
} as const satisfies OptionKinds

/** The options of a ref. */
export const REF_FIELD_OPTION_KINDS = {
  ...COMMON_FIELD_OPTION_KINDS,
  required: 'boolean',
  present: 'boolean',
} as const satisfies OptionKinds

/** Converts one name or an array of names to a frozen array. `option` is the name of the option. */
export const toNameList = (location: string, names: unknown, option = 'targets'): readonly string[] => {
  const list: readonly unknown[] = Array.isArray(names) ? names : [names]
  if (list.length > 0 && list.every(name => typeof name === 'string')) return Object.freeze([...list])
  throw usageError(location, option, 'the name of a type or an array of names', describeValue(names))
}

/** Validates the options of a field and adds their defaults. */
export const toCommonField = (
  location: string,
  options: (FieldOptions & StoredFieldOptions) | undefined,
  kinds: OptionKinds = COMMON_FIELD_OPTION_KINDS,
): CommonField => {
  assertOptionKinds(location, options, kinds)
  if (options?.required === true && options.present === true)
    throw usageError(location, 'present', 'left out of a required field', 'true')
  return {
    description: options?.description ?? '',
    default: options?.default ?? false,
    required: options?.required ?? false,
    present: options?.present ?? false,
    scope: options?.scope,
    policy: toPolicy(location, options?.policy),
    since: options?.since,
    removedIn: options?.removedIn,
    deprecated: options?.deprecated,
  }
}

/** Whether every stored node or edge has the field. */
export const isInEveryRecord = ({ required, present }: Field): boolean => required || present

const FIELD_KINDS: readonly unknown[] = ['value', 'ref', 'viewerEdge', 'edgeTime']

/** Whether a value was created by one of the functions of {@link field}. */
export const isField = (value: unknown): value is Field =>
  isNonArrayObject(value) && FIELD_KINDS.includes(value.kind) && isPolicy(value.policy)
