import type { Store } from '../../../../src/store/contract.ts'
import type { StoreMutation } from '../../../../src/store/mutations.ts'
import { EMPTY_REQUEST } from '../../../../src/store/requests.ts'
import { createRange, putEdge, putNode, withMirror } from '../../../../src/testing/records.ts'

const HUB = '1'
const EDGE = 'friends'
const FRIENDS_PER_BATCH = 1000
const READ_SIZE = 500
const OPTIONS = { signal: undefined, deadline: undefined, minRevision: 'newest' }

const friendIds = (first: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${first + index + 2}`)

const createFriends = (ids: readonly string[], time: number): readonly StoreMutation[] => [
  ...ids.map(id => putNode(id)),
  ...ids.map(id => withMirror(putEdge(HUB, EDGE, id, time), EDGE)),
]

/** Counts the edges of some nodes. */
const countEdges = async (store: Store, ids: readonly string[]): Promise<number> => {
  const ranges = ids.map(id => createRange(id, EDGE, { limit: 1 }))
  const result = await store.read({ ...EMPTY_REQUEST, ranges }, OPTIONS)
  return result.ranges.reduce((sum, { entries, total }) => sum + Math.max(entries.length, total ?? 0), 0)
}

/**
 * Puts a node and gives it a number of edges, half of them in each direction. Measures the deletion of the
 * node, and counts the edges that are left.
 */
export const measureHubDeletion = async (
  store: Store,
  edgeCount: number,
): Promise<{ readonly seconds: number; readonly remainingEdges: number }> => {
  const friendCount = Math.ceil(edgeCount / 2)
  await store.write([putNode(HUB)], OPTIONS)
  for (let first = 0; first < friendCount; first += FRIENDS_PER_BATCH) {
    const ids = friendIds(first, Math.min(FRIENDS_PER_BATCH, friendCount - first))
    await store.write(createFriends(ids, first), OPTIONS)
  }
  const start = performance.now()
  await store.write([{ op: 'deleteNode', id: HUB }], OPTIONS)
  const seconds = (performance.now() - start) / 1000
  let remainingEdges = await countEdges(store, [HUB])
  for (let first = 0; first < friendCount; first += READ_SIZE)
    remainingEdges += await countEdges(store, friendIds(first, Math.min(READ_SIZE, friendCount - first)))
  return { seconds, remainingEdges }
}
