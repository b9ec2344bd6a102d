import type { Mutation } from '../../src/store/contract.ts'

/** The edges that each batch adds to its hub. */
export const BATCH_EDGES = 20

/** One batch: more edges from a hub to nodes of their own, and the number of the batch in the hub. */
export const batchOf = (hub: string, batch: number): readonly Mutation[] => [
  { op: 'putNode', node: { id: hub, type: 'hub', fields: { batch } } },
  ...Array.from({ length: BATCH_EDGES }, (_, index): readonly Mutation[] => {
    const target = `${hub}${batch * BATCH_EDGES + index}`
    return [
      { op: 'putNode', node: { id: target, type: 'leaf', fields: { batch } } },
      { op: 'putEdge', edge: { source: hub, name: 'leaves', target, time: batch } },
    ]
  }).flat(),
]
