import { describeValue } from '../base/describe.ts'
import { isNonArrayObject } from '../base/json.ts'
import { assertOptionKinds, type OptionKinds } from '../base/options.ts'
import { usageError } from '../base/usage-error.ts'
import { type EntryKey, ROOT_ID } from '../store/derived-entries.ts'
import {
  type EdgeOptions,
  type EdgeType,
  type EdgeTypeInfo,
  type EdgeTypeInfoOf,
  edge,
  isEdge,
  type ParameterDependentOptions,
} from './edge.ts'
import type { Field } from './field.ts'
import {
  createCollectionOrders,
  findEntryKey,
  isKeyed,
  type OrderKey,
  orderKeyOf,
  type TimeOrder,
} from './list-order.ts'
import { getOwn, type NodeType, node } from './node.ts'
import type { Parameters } from './parameter.ts'
import type { Collections, Types } from './schema.ts'

/** The name of the type whose edges are the collections. Its only node has the same id. */
export const ROOT_TYPE = ROOT_ID

/** The options of a collection. */
export type CollectionOptions = Pick<
  EdgeOptions,
  'description' | 'defaults' | 'scope' | 'policy' | 'parameters' | 'reads'
> & {
  /**
   * A required or present datetime, unixtime or int field of every type of the collection, without scope and
   * policy, by which the nodes are ordered. Default: by id.
   */
  readonly by?: string | undefined
  /** Default: `reverse_chronological`, the largest values first. */
  readonly order?: TimeOrder | undefined
}

/** A declared collection, which {@link collection} creates. */
export type CollectionType<TInfo extends EdgeTypeInfo = EdgeTypeInfo> = EdgeType<TInfo>

const OPTION_KINDS = {
  description: 'text',
  defaults: 'texts',
  scope: 'text',
  policy: 'any',
  parameters: 'object',
  where: 'function',
  reads: 'texts',
  order: 'text',
  by: 'text',
} as const satisfies OptionKinds

/**
 * Declares a collection: the list of all nodes of one type or of several. It is an edge of the node `root`,
 * which every schema with collections has: `getEdge(token, { id: 'root', edge: 'events' })`.
 *
 * @throws TypeError for an unknown option, an invalid order, or a policy that is not an array of rules.
 * @example
 * ```ts
 * import { collection, createGraph, defineSchema, field, node } from 'kithgraph'
 * import { createMemoryStore } from 'kithgraph/memory'
 *
 * const schema = defineSchema(
 *   {
 *     event: node({
 *       fields: {
 *         title: field.string({ default: true, required: true }),
 *         start_time: field.datetime({ required: true }),
 *       },
 *     }),
 *   },
 *   { collections: { events: collection('event', { by: 'start_time', order: 'chronological' }) } },
 * )
 * const graph = createGraph(createMemoryStore(), { schema })
 * await graph.write([
 *   { op: 'putNode', node: { id: '1', type: 'event', fields: { title: 'Fair', start_time: '2026-05-01' } } },
 *   { op: 'putNode', node: { id: '2', type: 'event', fields: { title: 'Walk', start_time: '2026-04-01' } } },
 * ])
 * const session = graph.session({ viewer: '1', app: 'demo' })
 * const { data } = await graph.getEdge(session, { id: 'root', edge: 'events' })
 * console.log(data.map(({ title }) => title)) // [ 'Walk', 'Fair' ]
 * ```
 */
export const collection = <
  const TTargets extends string | readonly string[],
  const TOptions extends CollectionOptions,
  const TParameters extends Parameters = Record<never, never>,
>(
  targets: TTargets,
  options?: TOptions & Pick<ParameterDependentOptions<TParameters>, 'parameters' | 'where'>,
): CollectionType<EdgeTypeInfoOf<TTargets, TOptions>> => {
  assertOptionKinds('collection', options, OPTION_KINDS)
  const { by, ...edgeOptions } = options ?? {}
  // The options are those of an edge, except for `by`.
  const declared = edge<TTargets, TOptions, TParameters>(
    targets,
    edgeOptions as TOptions & ParameterDependentOptions<TParameters>,
  )
  return Object.freeze({ ...declared, collection: Object.freeze({ by }) })
}

/** Whether a value was created by {@link collection}. */
const isCollection = (value: unknown): value is CollectionType =>
  isEdge(value) && value.collection !== undefined

/**
 * Asserts that values are collections.
 *
 * @throws TypeError for any other value.
 */
export const assertCollections = (caller: string, collections: unknown): void => {
  if (collections === undefined) return
  if (!isNonArrayObject(collections))
    throw usageError(caller, 'collections', 'an object with collections by name', describeValue(collections))
  for (const [name, value] of Object.entries(collections))
    if (!isCollection(value))
      throw usageError(
        caller,
        `collections.${name}`,
        'a collection that collection() returns',
        describeValue(value),
      )
}

/** Returns the field of a type that orders a collection. */
export const findKeyField = (types: Types, type: string, by: string): Field | undefined =>
  getOwn(getOwn(types, type)?.fields ?? {}, by)

/** Returns what a collection is ordered by. The schema checks that all of its types have such a field. */
const findOrderKey = (types: Types, { targets, collection }: CollectionType): OrderKey => {
  const by = collection?.by
  if (by === undefined) return 'id'
  return targets.some(type => orderKeyOf(findKeyField(types, type, by)) === 'number') ? 'number' : 'time'
}

/** Creates the type of the node whose edges are the collections. */
export const createRootType = (types: Types, collections: Collections): NodeType =>
  node({
    description: 'The node whose edges list all nodes of a type.',
    edges: Object.fromEntries(
      Object.entries(collections).map(([name, declared]) => [
        name,
        isKeyed(declared.orders)
          ? declared
          : Object.freeze({
              ...declared,
              orders: createCollectionOrders(findOrderKey(types, declared), declared.collection?.by),
            }),
      ]),
    ),
  })

/** A collection that contains the nodes of a type, and where the times of their entries come from. */
export type CollectionOfType = { readonly name: string; readonly by: EntryKey | undefined }

/** Returns the collections that contain the nodes of a type and whose entries writes derive. */
export const collectionsOf = (types: Types, type: string): readonly CollectionOfType[] =>
  Object.entries(getOwn(types, ROOT_TYPE)?.edges ?? {})
    .filter(([, { targets, orders }]) => targets.includes(type) && !isKeyed(orders))
    .map(([name, { collection }]) => {
      const by = collection?.by
      return { name, by: by === undefined ? undefined : findEntryKey(by, findKeyField(types, type, by)) }
    })
