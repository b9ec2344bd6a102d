import { describeValue } from '../base/describe.ts'
import { isNonArrayObject } from '../base/json.ts'
import { assertOptionKinds, type OptionKinds } from '../base/options.ts'
import { usageError } from '../base/usage-error.ts'
import { type Field, toNameList } from './field.ts'
import type { TargetNames } from './field-inference.ts'
import { isPolicy, type Policy, toPolicy } from './policy.ts'

/** The order of a list: by time, then by the numeric value of the target's id. */
export type EdgeOrder = 'chronological' | 'reverse_chronological'

/** The options of an edge. */
export type EdgeOptions = {
  readonly description?: string | undefined
  /**
   * The names of the fields that an entry has if a call does not specify `fields`. Default: the default
   * fields of the target's type.
   */
  readonly defaults?: readonly string[] | undefined
  /** Default: `reverse_chronological`, the newest first. */
  readonly order?: EdgeOrder | undefined
  /** The scope that a token must have. Without the scope, a call with this edge fails. */
  readonly scope?: string | undefined
  /**
   * The policy of the lists of this edge. A denied list is empty. Default: everyone who can see the source
   * can see the list.
   */
  readonly policy?: Policy | undefined
  /** The name of the mirror: an edge of the target's type. Writes create and delete both edges together. */
  readonly inverse?: string | undefined
  /** Whether the edge is its own mirror, such as `friends`. */
  readonly symmetric?: boolean | undefined
  /** The fields of the edge itself, which are written as its `data` and returned in the entries. */
  readonly fields?: { readonly [name: string]: Field } | undefined
}

/** The type information of an edge, from which the types of results are inferred. */
export type EdgeTypeInfo = {
  targets: string
  /** The names in `defaults`, or `undefined` if the default fields of the target's type apply. */
  edgeDefaults: readonly string[] | undefined
  fields: { readonly [name: string]: Field }
}

/** A declared edge: frozen data, which {@link edge} creates. */
export type EdgeType<TInfo extends EdgeTypeInfo = EdgeTypeInfo> = {
  readonly targets: readonly string[]
  readonly description: string
  readonly defaults: readonly string[] | undefined
  readonly order: EdgeOrder
  readonly scope: string | undefined
  readonly policy: Policy | undefined
  readonly inverse: string | undefined
  readonly symmetric: boolean
  readonly fields: { readonly [name: string]: Field }
  readonly '~types'?: TInfo
}

type EdgeTypeInfoOf<TTargets, TOptions> = {
  targets: TargetNames<TTargets>
  edgeDefaults: TOptions extends { readonly defaults: infer TDefaults extends readonly string[] }
    ? TDefaults
    : undefined
  fields: TOptions extends { readonly fields: infer TFields extends { readonly [name: string]: Field } }
    ? TFields
    : Record<never, never>
}

const OPTION_KINDS = {
  description: 'text',
  defaults: 'texts',
  order: 'text',
  scope: 'text',
  policy: 'any',
  inverse: 'text',
  symmetric: 'boolean',
  fields: 'object',
} as const satisfies OptionKinds

const VALID_ORDERS: readonly unknown[] = [undefined, 'chronological', 'reverse_chronological']

/**
 * Declares an edge to nodes of one type or of several.
 *
 * @throws TypeError for an unknown option, or a policy that is not an array of rules.
 * @example
 * ```ts
 * import { edge, field } from 'kithgraph'
 *
 * const friends = edge('user', { symmetric: true, fields: { since: field.edgeTime() } })
 * console.log(friends.order) // reverse_chronological
 * ```
 */
export const edge = <const TTargets extends string | readonly string[], const TOptions extends EdgeOptions>(
  targets: TTargets,
  options?: TOptions,
): EdgeType<EdgeTypeInfoOf<TTargets, TOptions>> => {
  assertOptionKinds('edge', options, OPTION_KINDS)
  if (!VALID_ORDERS.includes(options?.order)) {
    throw usageError(
      'edge',
      'order',
      '"chronological" or "reverse_chronological"',
      describeValue(options?.order),
    )
  }
  return Object.freeze({
    targets: toNameList('edge', targets),
    description: options?.description ?? '',
    defaults: options?.defaults && Object.freeze([...options.defaults]),
    order: options?.order ?? 'reverse_chronological',
    scope: options?.scope,
    policy: toPolicy('edge', options?.policy),
    inverse: options?.inverse,
    symmetric: options?.symmetric ?? false,
    fields: Object.freeze({ ...options?.fields }),
  })
}

/** Whether a value was created by {@link edge}. */
export const isEdge = (value: unknown): value is EdgeType =>
  isNonArrayObject(value) &&
  Array.isArray(value.targets) &&
  VALID_ORDERS.includes(value.order) &&
  isPolicy(value.policy) &&
  isNonArrayObject(value.fields)
