import { type CollectionOfType, collectionsOf, ROOT_TYPE } from '../schema/collection.ts'
import { listNamesOf } from '../schema/edge-lists.ts'
import { getOwn, type NodeType } from '../schema/node.ts'
import type { Types } from '../schema/schema.ts'
import type { NodeRecord } from '../store/contract.ts'
import {
  type DerivedEntry,
  type EntryKey,
  edgeOfEntry,
  orderListOf,
  ROOT_ID,
} from '../store/derived-entries.ts'
import type { InspectedEdge } from '../store/inspection.ts'

/** A key that no record has, so that the store deletes the entry. No field has this name. */
export const ABSENT_KEY: EntryKey = { field: '#', factor: 1 }

/** A further order of a stored list. */
type OrderOfList = { readonly name: string; readonly by: EntryKey }

type OrdersByList = ReadonlyMap<string, readonly OrderOfList[]>

const createOrdersByList = ({ edges }: NodeType): OrdersByList =>
  new Map(
    Object.entries(edges).flatMap(([name, edge]) => {
      const orders = [...edge.orders.values()].flatMap(({ name: order, by }) =>
        by === undefined ? [] : { name: order, by },
      )
      return listNamesOf({ name, edge }).map(list => [list, orders] as const)
    }),
  )

/** The entries that a schema declares for records. */
export class DeclaredEntries {
  readonly #collectionNames: ReadonlySet<string>
  /** The collections by the type of their nodes. */
  readonly #collections: ReadonlyMap<string, readonly CollectionOfType[]>
  /** The further orders by the type of the source. */
  readonly #orders: ReadonlyMap<string, OrdersByList>

  constructor(types: Types) {
    this.#collectionNames = new Set(Object.keys(getOwn(types, ROOT_TYPE)?.edges ?? {}))
    this.#collections = new Map(Object.keys(types).map(type => [type, collectionsOf(types, type)]))
    this.#orders = new Map(Object.entries(types).map(([name, type]) => [name, createOrdersByList(type)]))
  }

  /** Returns the entries of a node in collections. */
  ofNode({ id, type }: Pick<NodeRecord, 'id' | 'type'>): readonly DerivedEntry[] {
    const collections = this.#collections.get(type) ?? []
    return collections.map(({ name, by }) => ({ source: ROOT_ID, name, target: id, by }))
  }

  /** Returns the entries of an edge in further orders. */
  ofEdge({ source, name, target, sourceType }: Omit<InspectedEdge, 'time'>): readonly DerivedEntry[] {
    const orders = this.#orders.get(sourceType ?? '')?.get(name) ?? []
    return orders.map(order => ({ source, name: orderListOf(name, order.name), target, by: order.by }))
  }

  /** Returns the declaration of a stored entry; `undefined` if the schema does not declare its list. */
  find(edge: InspectedEdge): DerivedEntry | undefined {
    const { source, name, target, targetType } = edge
    if (source !== ROOT_ID)
      return this.ofEdge({ ...edge, ...edgeOfEntry(edge) }).find(entry => entry.name === name)
    return this.ofCollection(name, { id: target, type: targetType ?? '' })
  }

  /** Returns the entry of a node in a collection; `undefined` if the schema does not declare the collection. */
  ofCollection(name: string, node: Pick<NodeRecord, 'id' | 'type'>): DerivedEntry | undefined {
    if (!this.#collectionNames.has(name)) return undefined
    // The collection may not contain nodes of this type.
    const absent = { source: ROOT_ID, name, target: node.id, by: ABSENT_KEY }
    return this.ofNode(node).find(entry => entry.name === name) ?? absent
  }
}
