import type { NodeId } from '../../base/ids.ts'
import type { EdgeKey } from '../../store/contract.ts'
import { type DerivedEntry, edgeOfEntry, ROOT_ID } from '../../store/derived-entries.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { type BatchEffect, toEdgeKeyText } from '../batch.ts'
import type { EdgeWrite, Order } from './edge-sides.ts'
import type { EntriesByNode } from './entry-sender.ts'

/** The orders of edges, by the texts of these edges. */
export type OrdersByEdge = ReadonlyMap<string, { readonly edge: EdgeKey; readonly orders: readonly Order[] }>

/** The entries that a batch derives. */
export type BatchEntries = { readonly byNode: EntriesByNode; readonly byEdge: OrdersByEdge }

const NO_ENTRIES: BatchEntries = { byNode: new Map(), byEdge: new Map() }

/** Returns the entries that a batch derives, each once. */
export const collectEntries = (mutations: readonly StoreMutation[]): BatchEntries => {
  const entries = mutations.flatMap(mutation => (mutation.op === 'deriveEntry' ? mutation.entry : []))
  if (entries.length === 0) return NO_ENTRIES
  const byNode = new Map<NodeId, DerivedEntry[]>()
  const byEdge = new Map<string, { edge: EdgeKey; orders: Order[] }>()
  for (const entry of new Map(entries.map(entry => [toEdgeKeyText(entry), entry])).values()) {
    if (entry.source === ROOT_ID) {
      const list = byNode.get(entry.target) ?? []
      list.push(entry)
      byNode.set(entry.target, list)
      continue
    }
    const edge = edgeOfEntry(entry)
    const group = byEdge.get(toEdgeKeyText(edge)) ?? { edge, orders: [] }
    group.orders.push({ name: entry.name, by: entry.by })
    byEdge.set(toEdgeKeyText(edge), group)
  }
  return { byNode, byEdge }
}

/** Adds the orders of edges to the writes of these edges. */
export const addOrders = (writes: readonly EdgeWrite[], { byEdge }: BatchEntries): readonly EdgeWrite[] =>
  byEdge.size === 0
    ? writes
    : writes.map(write => ({
        ...write,
        orders: byEdge.get(toEdgeKeyText(write.edge))?.orders,
        mirrorOrders: write.mirror && byEdge.get(toEdgeKeyText(write.mirror))?.orders,
      }))

/** Returns the entries of stored records that a batch does not write itself. */
export const findStoredEntries = (
  { byNode, byEdge }: BatchEntries,
  { nodePuts, nodePatches, nodeDeletions }: Pick<BatchEffect, 'nodePuts' | 'nodePatches' | 'nodeDeletions'>,
  writes: readonly EdgeWrite[],
): BatchEntries => {
  if (byNode.size + byEdge.size === 0) return NO_ENTRIES
  const writtenIds = new Set([...[...nodePuts, ...nodePatches].map(({ id }) => id), ...nodeDeletions])
  const writtenEdges = new Set(
    writes.flatMap(({ edge, mirror }) => [toEdgeKeyText(edge), ...(mirror ? [toEdgeKeyText(mirror)] : [])]),
  )
  return {
    byNode: new Map([...byNode].filter(([id]) => !writtenIds.has(id))),
    byEdge: new Map([...byEdge].filter(([text]) => !writtenEdges.has(text))),
  }
}
