import type { StoreMutation } from '../../src/store/mutations.ts'

/** The number of edges that each batch adds to its hub. */
export const EDGES_PER_BATCH = 20

/** Creates a batch that writes its number to a hub, and adds edges from the hub to new nodes. */
export const createBatch = (hub: string, batch: number): readonly StoreMutation[] => [
  { op: 'putNode', node: { id: hub, type: 'hub', fields: { batch } } },
  ...Array.from({ length: EDGES_PER_BATCH }, (_, index): readonly StoreMutation[] => {
    const target = `${hub}${batch * EDGES_PER_BATCH + index}`
    return [
      { op: 'putNode', node: { id: target, type: 'leaf', fields: { batch } } },
      { op: 'putEdge', edge: { source: hub, name: 'leaves', target, time: batch } },
    ]
  }).flat(),
]
