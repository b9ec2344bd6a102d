import type { CampaignMutation } from './ledger-workload.ts'
import type { Random } from './random.ts'
import { createEdgeValue } from './state.ts'

/** A batch of the hot workload, and what it writes to each register. */
export type HotBatch = {
  readonly mutations: readonly CampaignMutation[]
  /** The nodes that must exist for the batch to be valid. */
  readonly requiredIds: readonly string[]
  /** Values by register; undefined for a removed one. The register of a node deletion is `deletion ID`. */
  readonly writes: readonly (readonly [register: string, value: string | undefined])[]
}

/** The register of the note of a node, which exists if and only if the node exists. */
export const noteRegister = (id: string): string => `note ${id}`
/** The register of the field that only patches write. */
export const patchRegister = (id: string): string => `patch ${id}`
/** The register of all deletions of a node, each of which removes the edges of the node. */
export const deletionRegister = (id: string): string => `deletion ${id}`
/** The register of both sides of a symmetric edge. */
export const friendsRegister = (first: string, second: string): string =>
  [first, second].sort((a, b) => Number(a) - Number(b)).join(' friends ')

const DAY_MS = 86_400_000

/** Puts a node whose note is a text. */
export const createPut = (id: string, text: string): HotBatch => ({
  mutations: [{ op: 'putNode', node: { id, type: 'person', fields: { note: text, rank: Number(text) } } }],
  requiredIds: [],
  writes: [
    [noteRegister(id), text],
    [patchRegister(id), undefined],
  ],
})

const remove = (id: string): HotBatch => ({
  mutations: [{ op: 'deleteNode', id }],
  requiredIds: [],
  writes: [
    [noteRegister(id), undefined],
    [patchRegister(id), undefined],
    [deletionRegister(id), undefined],
  ],
})

/** Deletes and puts a node in one batch. */
const renew = (id: string, text: string): HotBatch => {
  const [deletion, renewal] = [remove(id), createPut(id, text)]
  return {
    mutations: [...deletion.mutations, ...renewal.mutations],
    requiredIds: [],
    writes: [...renewal.writes, [deletionRegister(id), undefined]],
  }
}

const patch = (id: string, text: string): HotBatch => ({
  mutations: [{ op: 'patchNode', id, fields: { patch: text, rank: -Number(text) } }],
  requiredIds: [id],
  writes: [[patchRegister(id), text]],
})

const putFriends = (source: string, target: string, time: number): HotBatch => {
  const data = time % 2 === 0 ? { since: time } : undefined
  const since = time % 7
  return {
    mutations: [
      { op: 'putEdge', edge: { source, name: 'friends', target, time, ...(data && { data }) } },
      { op: 'putEdge', edge: { source, name: 'knows', target, time, data: { since } } },
    ],
    requiredIds: [source, target],
    writes: [[friendsRegister(source, target), createEdgeValue(time, data)]],
  }
}

const deleteFriends = (source: string, target: string): HotBatch => ({
  mutations: [
    { op: 'deleteEdge', edge: { source, name: 'friends', target } },
    { op: 'deleteEdge', edge: { source, name: 'knows', target } },
  ],
  requiredIds: [],
  writes: [[friendsRegister(source, target), undefined]],
})

/** Joins batches. The nodes that the first one puts are not required for the second one. */
const join = (first: HotBatch, second: HotBatch): HotBatch => {
  const putIds = first.mutations.flatMap(mutation => (mutation.op === 'putNode' ? mutation.node.id : []))
  return {
    mutations: [...first.mutations, ...second.mutations],
    requiredIds: [...first.requiredIds, ...second.requiredIds.filter(id => !putIds.includes(id))],
    writes: [...first.writes, ...second.writes],
  }
}

/** Whether batches delete nodes: never, only if the same batch puts the node again, or also without a put. */
export type Deletions = 'none' | 'renewals' | 'all'

/** Creates a random batch over the given nodes. `number` makes its values unique. */
export const createHotBatch = (
  random: Random,
  ids: readonly [string, ...string[]],
  number: number,
  deletions: Deletions,
): HotBatch => {
  const id = random.pick(ids)
  const other = random.pick(ids)
  const text = `${number}`
  const hasEdge = id !== other && random.chance(0.7)
  const edge = putFriends(id, other, DAY_MS + number)
  if (deletions === 'all' && random.chance(0.15)) return remove(id)
  const create =
    deletions === 'none' ? random.pick([createPut, patch]) : random.pick([renew, renew, createPut, patch])
  const node = create(id, text)
  if (!hasEdge) return node
  return random.pick([join(node, edge), edge, deleteFriends(id, other)])
}
