import { describe } from '../base/describe.ts'
import { isPlainObject } from '../base/json.ts'
import { assertKinds, type OptionKinds } from '../base/options.ts'
import type { Field } from './field.ts'
import type { Names } from './field-inference.ts'
import { namesOf } from './names.ts'
import { isPolicy, type Policy, policyOf } from './policy.ts'

/** The order of an edge list: by time, then by target as a number. */
export type EdgeOrder = 'chronological' | 'reverse_chronological'

/** What an edge may say of itself. */
export type EdgeOptions = {
  readonly description?: string | undefined
  /** The fields of an entry where none are asked for; default: those of the target's type. */
  readonly defaults?: readonly string[] | undefined
  /** Default `reverse_chronological`: the newest first. */
  readonly order?: EdgeOrder | undefined
  /** The word that a token must have been granted; without it the edge is refused. */
  readonly scope?: string | undefined
  /** Who may see the edges of which source: to others the list is empty. Without a policy, everyone who sees the source. */
  readonly policy?: Policy | undefined
  /** The edge of the target's type that is kept as the mirror of this one. */
  readonly inverse?: string | undefined
  /** Whether the edge is its own mirror. */
  readonly symmetric?: boolean | undefined
  /** Fields of the connection itself: written as the edge's `data`, answered in the entry. */
  readonly fields?: { readonly [name: string]: Field } | undefined
}

/** What the types of answers are inferred from. */
export type EdgeTypes = {
  targets: string
  /** The names of `defaults`, or undefined where the target's apply. */
  defaults: readonly string[] | undefined
  fields: { readonly [name: string]: Field }
}

/** A declared edge: frozen data, made by {@link edge}. */
export type EdgeType<TTypes extends EdgeTypes = EdgeTypes> = {
  readonly targets: readonly string[]
  readonly description: string
  readonly defaults: readonly string[] | undefined
  readonly order: EdgeOrder
  readonly scope: string | undefined
  readonly policy: Policy | undefined
  readonly inverse: string | undefined
  readonly symmetric: boolean
  readonly fields: { readonly [name: string]: Field }
  readonly '~types'?: TTypes
}

type EdgeTypesOf<TTargets, TOptions> = {
  targets: Names<TTargets>
  defaults: TOptions extends { readonly defaults: infer TDefaults extends readonly string[] }
    ? TDefaults
    : undefined
  fields: TOptions extends { readonly fields: infer TFields extends { readonly [name: string]: Field } }
    ? TFields
    : Record<never, never>
}

const OPTIONS = {
  description: 'text',
  defaults: 'texts',
  order: 'text',
  scope: 'text',
  policy: 'any',
  inverse: 'text',
  symmetric: 'boolean',
  fields: 'object',
} as const satisfies OptionKinds

const ORDERS: readonly unknown[] = [undefined, 'chronological', 'reverse_chronological']

/**
 * Declares an edge to nodes of one type or of several.
 *
 * @throws TypeError for an unknown option, or a policy that is no list of rules.
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
): EdgeType<EdgeTypesOf<TTargets, TOptions>> => {
  assertKinds('edge', options, OPTIONS)
  if (!ORDERS.includes(options?.order)) {
    throw new TypeError(
      `edge: order must be chronological or reverse_chronological, came ${describe(options?.order)}`,
    )
  }
  return Object.freeze({
    targets: namesOf('edge', targets),
    description: options?.description ?? '',
    defaults: options?.defaults && Object.freeze([...options.defaults]),
    order: options?.order ?? 'reverse_chronological',
    scope: options?.scope,
    policy: policyOf('edge', options?.policy),
    inverse: options?.inverse,
    symmetric: options?.symmetric ?? false,
    fields: Object.freeze({ ...options?.fields }),
  })
}

/** Whether a value was made by {@link edge}. */
export const isEdge = (value: unknown): value is EdgeType =>
  isPlainObject(value) &&
  Array.isArray(value.targets) &&
  ORDERS.includes(value.order) &&
  isPolicy(value.policy) &&
  isPlainObject(value.fields)
