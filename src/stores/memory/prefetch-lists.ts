import { findLists, type GraphTables } from './graph-tables.ts'
import type { PreparedBatch } from './prepare-batch.ts'

/**
 * The number of mutations to prefetch at once. The processor cache would not keep more until they are
 * written.
 */
export const PREFETCH_COUNT = 64

/**
 * Returns the lists of the edges to put among the next mutations of a batch, by position; 0 for other
 * mutations, and if a list or its source does not exist yet.
 *
 * It also reads the rows that these edges will be inserted into, one kind of row after another in tight
 * loops. In a large graph almost every row is a cache miss, and only the misses of one loop overlap. Written
 * edge by edge, they would add up.
 */
export const prefetchLists = (
  tables: GraphTables,
  { mutations, endpointNumbers }: PreparedBatch,
  start: number,
): number[] => {
  const { names, outgoing, incoming } = tables
  const sources: number[] = []
  const targets: number[] = []
  const nameNumbers: number[] = []
  const times: number[] = []
  const end = Math.min(mutations.length, start + PREFETCH_COUNT)
  for (let index = start; index < end; index++) {
    const mutation = mutations[index]
    const edge = mutation?.op === 'putEdge' ? mutation.edge : undefined
    sources.push(endpointNumbers[2 * index] ?? 0)
    targets.push(endpointNumbers[2 * index + 1] ?? 0)
    nameNumbers.push(edge === undefined ? 0 : names.findNumber(edge.name))
    times.push(edge === undefined ? 0 : edge.time)
  }
  incoming.prefetchSizes(targets)
  const lists = findLists(tables, sources, nameNumbers)
  outgoing.prefetchInsertPoints(lists, times)
  return lists
}
