import { findList, type GraphTables } from './graph-tables.ts'
import type { PreparedBatch } from './prepare-batch.ts'

/** Mutations to fetch at once: what more of them reach, the processor cannot keep near until it is written. */
export const FETCHED = 64

/**
 * Reads what the edges among the next mutations of a batch are going to be put into, one kind of row after another in tight
 * loops. In a large graph nearly each row has to be waited for, and only waits of one loop overlap: written edge by edge,
 * they add up.
 */
export const fetchAhead = (tables: GraphTables, { mutations, ends }: PreparedBatch, start: number): void => {
  const { outgoing, incoming } = tables
  const end = Math.min(mutations.length, start + FETCHED)
  const lists: number[] = []
  const targets: number[] = []
  for (let index = start; index < end; index++) {
    const mutation = mutations[index]
    if (mutation?.op !== 'putEdge') continue
    const list = findList(tables, ends[2 * index] ?? 0, mutation.edge.name)
    if (outgoing.isChain(list)) lists.push(list)
    else {
      // Whether a long list has the edge is looked for at its target.
      targets.push(ends[2 * index + 1] ?? 0)
      outgoing.fetchPlace(list, mutation.edge.time)
    }
  }
  outgoing.fetchChains(lists)
  incoming.fetchChains(targets)
}
