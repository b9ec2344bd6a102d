import { describeValue } from '../base/describe.ts'
import { isNonArrayObject } from '../base/json.ts'
import { assertOptionKinds, type OptionKinds } from '../base/options.ts'
import { usageError } from '../base/usage-error.ts'
import type { EdgeResolver } from './edge-resolver.ts'
import type { EntryFilter } from './entry-filter.ts'
import { type EdgeField, type Field, type NoEdgeField, toNameList } from './field.ts'
import type { TargetNames } from './field-inference.ts'
import {
  createOrders,
  findOrder,
  formatOrders,
  type ListOrder,
  NEWEST_FIRST,
  type Orders,
} from './list-order.ts'
import { isParameter, type Parameters, toParameters, type ValuesOf } from './parameter.ts'
import { isPolicy, type Policy, toPolicy } from './policy.ts'
import { type PositionKey, toPositionKey } from './position-key.ts'
import { createStoredLists, type ListFunction, type StoredLists } from './stored-lists.ts'

/** The options of an edge that depend on its parameters. */
export type ParameterDependentOptions<TParameters> = {
  readonly parameters?: TParameters | undefined
  /**
   * Returns the name of the stored list for the values of enum and bool parameters. Each list is stored
   * separately, so it is read and counted like any other list.
   */
  readonly list?: ((parameters: ValuesOf<TParameters>) => string) | undefined
  /**
   * Whether an entry is in the list. The filter applies if a parameter that `list` does not read has a value.
   * It is a choice of the caller, not a protection: for protection, use a policy.
   */
  readonly where?: EntryFilter<ValuesOf<TParameters>> | undefined
  /** Computes the lists of the edge, for example with a search or another service. Nothing is stored. */
  readonly resolve?: EdgeResolver<ValuesOf<TParameters>> | undefined
}

/** The options of an edge. */
export type EdgeOptions = {
  readonly description?: string | undefined
  /**
   * The names of the fields that an entry has if a call does not specify `fields`. Default: the default
   * fields of the target's type.
   */
  readonly defaults?: readonly string[] | undefined
  /**
   * The order of a list if a call does not specify `order`. Default: `reverse_chronological`, the newest
   * first.
   */
  readonly order?: string | undefined
  /**
   * Further orders, which a call chooses with `order`. An order by a field is a stored list of its own, which
   * writes keep. To order by a field of the target, copy its value to the edge when you write it.
   */
  readonly orders?: Orders | undefined
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
  readonly fields?:
    | {
        readonly [name: string]:
          | EdgeField
          | NoEdgeField<'an edge stores only values: declare this field on a node instead'>
      }
    | undefined
  /** The parameters that a caller may give to the edge: `photos.type(uploaded)`. */
  readonly parameters?: Parameters | undefined
  /** Declares that the store's positions in the lists have a `key`, an order that milliseconds do not hold. */
  readonly positionKey?: PositionKey | undefined
  /**
   * With `where`: the names of the fields of the target that `where` reads; without it, none. They have no scope
   * and no policy. With `resolve`: the names of the stored fields of the source that `resolve` reads; without it,
   * all.
   */
  readonly reads?: readonly string[] | undefined
  /** Whether `resolve` can read backwards. Without it, `before` is an error. */
  readonly backward?: boolean | undefined
  /** Whether `resolve` can limit the times. Without it, `since` and `until` are errors. */
  readonly times?: boolean | undefined
}

/** The type information of an edge, from which the types of results are inferred. */
export type EdgeTypeInfo = {
  targets: string
  /** The names in `defaults`, or `undefined` if the default fields of the target's type apply. */
  edgeDefaults: readonly string[] | undefined
  fields: { readonly [name: string]: Field }
  parameters: Parameters
  /** The names of the declared orders. */
  orders: string
  /** Present if a long list may have no `total_count`. */
  counted?: 'sometimes'
}

/**
 * How the lists of an edge are counted. `stored`: in O(1), always. `capped`: up to a number of rows that the store
 * knows. `exact`: row by row, at a cost. A longer list than a cap has no count.
 */
export type CountKind = 'stored' | 'capped' | 'exact'

/** The field that orders a collection, or `undefined` for an order by id. */
export type CollectionKey = { readonly by: string | undefined }

/** A declared edge: frozen data, which {@link edge} creates. */
export type EdgeType<TInfo extends EdgeTypeInfo = EdgeTypeInfo> = {
  readonly targets: readonly string[]
  readonly description: string
  readonly defaults: readonly string[] | undefined
  /** The name of the default order. */
  readonly order: string
  /** The declared orders by name. */
  readonly orders: ReadonlyMap<string, ListOrder>
  readonly scope: string | undefined
  readonly policy: Policy | undefined
  readonly inverse: string | undefined
  readonly symmetric: boolean
  readonly fields: { readonly [name: string]: EdgeField }
  readonly parameters: Parameters
  /** The stored lists, or `undefined` if the edge has one list with its own name. */
  readonly lists: StoredLists | undefined
  readonly where: EntryFilter | undefined
  readonly reads: readonly string[] | undefined
  readonly resolve: EdgeResolver | undefined
  readonly backward: boolean
  readonly times: boolean
  readonly positionKey: PositionKey | undefined
  /** The order of a collection, or `undefined` for an edge of nodes. */
  readonly collection: CollectionKey | undefined
  readonly count: { readonly kind: CountKind }
  readonly '~types'?: TInfo
}

/** The type information of an edge, inferred from its targets and its options. */
export type EdgeTypeInfoOf<TTargets, TOptions> = {
  targets: TargetNames<TTargets>
  edgeDefaults: TOptions extends { readonly defaults: infer TDefaults extends readonly string[] }
    ? TDefaults
    : undefined
  // An index is cheaper for the compiler than an inferred type.
  fields: TOptions extends { readonly fields: { readonly [name: string]: Field } }
    ? TOptions['fields']
    : Record<never, never>
  // The type is not TParameters, because the compiler would infer TParameters from the context of the result.
  parameters: TOptions extends { readonly parameters: Parameters }
    ? TOptions['parameters']
    : Record<never, never>
  orders: TOptions extends { readonly orders: Orders } ? keyof TOptions['orders'] & string : never
}

const STORED_COUNT: EdgeType['count'] = Object.freeze({ kind: 'stored' })

const OPTION_KINDS = {
  description: 'text',
  defaults: 'texts',
  order: 'text',
  orders: 'object',
  scope: 'text',
  policy: 'any',
  inverse: 'text',
  symmetric: 'boolean',
  fields: 'object',
  parameters: 'object',
  list: 'function',
  where: 'function',
  reads: 'texts',
  resolve: 'function',
  backward: 'boolean',
  times: 'boolean',
  positionKey: 'object',
} as const satisfies OptionKinds

/** Returns the name of the default order. */
const readDefaultOrder = (order: string | undefined, orders: ReadonlyMap<string, ListOrder>): string => {
  if (order === undefined) return NEWEST_FIRST.name
  if (findOrder(orders, order) === undefined)
    throw usageError('edge', 'order', formatOrders(orders), describeValue(order))
  return order
}

/**
 * Declares an edge to nodes of one type or of several.
 *
 * @throws TypeError for an unknown option, an invalid order, or a policy that is not an array of rules.
 * @example
 * ```ts
 * import { edge, field } from 'kithgraph'
 *
 * const friends = edge('user', { symmetric: true, fields: { since: field.edgeTime() } })
 * console.log(friends.order) // reverse_chronological
 * ```
 */
export const edge = <
  const TTargets extends string | readonly string[],
  const TOptions extends EdgeOptions,
  const TParameters extends Parameters = Record<never, never>,
>(
  targets: TTargets,
  options?: TOptions & ParameterDependentOptions<TParameters>,
): EdgeType<EdgeTypeInfoOf<TTargets, TOptions>> => {
  assertOptionKinds('edge', options, OPTION_KINDS)
  // A field with the text of an error does not exist. `defineSchema` rejects refs.
  const fields = Object.freeze({ ...options?.fields }) as EdgeType['fields']
  const orders = createOrders(options?.orders, fields)
  const parameters = toParameters('edge', options?.parameters)
  // The values have the declared types, because calls are validated.
  const list = options?.list as ListFunction | undefined
  return Object.freeze({
    targets: toNameList('edge', targets),
    description: options?.description ?? '',
    defaults: options?.defaults && Object.freeze([...options.defaults]),
    order: readDefaultOrder(options?.order, orders),
    orders,
    scope: options?.scope,
    policy: toPolicy('edge', options?.policy),
    inverse: options?.inverse,
    symmetric: options?.symmetric ?? false,
    fields,
    parameters,
    lists: list && createStoredLists(parameters, list),
    where: options?.where as EntryFilter | undefined,
    reads: options?.reads && Object.freeze([...options.reads]),
    resolve: options?.resolve as EdgeResolver | undefined,
    backward: options?.backward ?? false,
    times: options?.times ?? false,
    positionKey: toPositionKey(options?.positionKey),
    collection: undefined,
    count: STORED_COUNT,
  })
}

/** Whether a value was created by {@link edge}. */
export const isEdge = (value: unknown): value is EdgeType =>
  isNonArrayObject(value) &&
  Array.isArray(value.targets) &&
  value.orders instanceof Map &&
  isPolicy(value.policy) &&
  isNonArrayObject(value.fields) &&
  isNonArrayObject(value.parameters) &&
  Object.values(value.parameters).every(isParameter)
