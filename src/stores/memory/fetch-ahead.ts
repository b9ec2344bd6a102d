import { findLists, type GraphTables } from './graph-tables.ts'
import type { PreparedBatch } from './prepare-batch.ts'

/** Mutations to fetch at once: what more of them reach, the processor cannot keep near until it is written. */
export const FETCHED = 64

/**
 * The lists of the edges to put among the next mutations of a batch, by position; 0 for other mutations, and where a list or
 * its source is not there yet.
 *
 * What those edges are going to be put into is read on the way, one kind of row after another in tight loops. In a large
 * graph nearly each row has to be waited for, and only waits of one loop overlap: written edge by edge, they add up.
 */
export const fetchAhead = (
  tables: GraphTables,
  { mutations, ends }: PreparedBatch,
  start: number,
): number[] => {
  const { names, outgoing, incoming } = tables
  const sources: number[] = []
  const targets: number[] = []
  const wanted: number[] = []
  const times: number[] = []
  const end = Math.min(mutations.length, start + FETCHED)
  for (let index = start; index < end; index++) {
    const mutation = mutations[index]
    const edge = mutation?.op === 'putEdge' ? mutation.edge : undefined
    sources.push(ends[2 * index] ?? 0)
    targets.push(ends[2 * index + 1] ?? 0)
    wanted.push(edge === undefined ? 0 : names.find(edge.name))
    times.push(edge === undefined ? 0 : edge.time)
  }
  incoming.fetchSizes(targets)
  const lists = findLists(tables, sources, wanted)
  outgoing.fetchPlaces(lists, times)
  return lists
}
