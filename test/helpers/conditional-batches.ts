import { isGraphError } from '../../src/base/errors.ts'
import type { BatchId } from '../../src/store/conditional.ts'
import type { Store, StoreReadRequest } from '../../src/store/contract.ts'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { EMPTY_REQUEST } from '../../src/store/requests.ts'
import {
  createRange,
  createToken,
  deleteEdge,
  incrementNode,
  patchNode,
  putEdge,
  putNode,
  putNodes,
  withCondition,
  withMirror,
} from '../../src/testing/records.ts'

const NO_OPTIONS = { signal: undefined, deadline: undefined, minRevision: undefined }
const IDS = ['1', '2', '3', '4']
const NAMES = ['likes', 'friends']
const EVERYTHING: StoreReadRequest = {
  ...EMPTY_REQUEST,
  nodes: IDS,
  ranges: IDS.flatMap(id => NAMES.map(name => createRange(id, name))),
  tokens: ['abc'],
}
export const BATCH_ID: BatchId = { id: 'the id', digest: 'the digest', keepMs: 60_000 }

export const deleteNode = (id: string): StoreMutation => ({ op: 'deleteNode', id })
export const befriend = (source: string, target: string, time = 5) =>
  withMirror(putEdge(source, 'friends', target, time), 'friends')
export const ifMissing = (mutation: StoreMutation) => withCondition(mutation, { exists: false })
export const ifExisting = (mutation: StoreMutation) => withCondition(mutation, { exists: true })
export const increment = (id: string) => incrementNode(id, 'visits', 1)

export const EXISTING: readonly StoreMutation[] = [
  ...putNodes('1', '2', '3'),
  putEdge('1', 'likes', '2', 1, { role: 'owner' }),
  putEdge('3', 'likes', '1', 2),
  befriend('1', '3', 3),
]

/** A batch of each kind of step, valid only once. */
export const BATCHES: readonly (readonly [name: string, batch: readonly StoreMutation[]])[] = [
  [
    'an increment and edges',
    [increment('1'), ifMissing(putEdge('1', 'likes', '3', 7)), deleteEdge('1', 'likes', '2')],
  ],
  ['a mirrored edge', [ifMissing(befriend('1', '2'))]],
  ['a mirrored edge from its second side', [ifMissing(befriend('2', '1'))]],
  ['the deletion of a mirrored edge', [ifExisting(withMirror(deleteEdge('3', 'friends', '1'), 'friends'))]],
  ['an increment and mirrored edges', [increment('2'), befriend('2', '1'), befriend('2', '3')]],
  ['the deletion of a node', [ifExisting(deleteNode('1'))]],
  [
    'a new node and its edges',
    [ifMissing(putNode('4')), increment('4'), putEdge('4', 'likes', '4'), befriend('4', '1')],
  ],
  [
    'a replaced node',
    [ifExisting(deleteNode('1')), putNode('1', { name: 'Ada' }, 'other'), putEdge('1', 'likes', '3', 9)],
  ],
  [
    'no condition',
    [
      putNode('4', { name: 'Ada' }),
      patchNode('2', { name: 'Grace' }),
      putEdge('4', 'likes', '2', 4, { note: 'new' }),
      befriend('4', '3'),
      deleteEdge('1', 'likes', '2'),
      deleteNode('1'),
      putNode('1', {}, 'other'),
      { op: 'putToken', digest: 'abc', token: createToken('demo') },
    ],
  ],
]

export const read = async (store: Store) => {
  const { nodes, ranges, tokens } = await store.read(EVERYTHING, NO_OPTIONS)
  return { nodes, lists: ranges.map(({ entries, total }) => ({ entries, total })), tokens }
}
export const write = async (store: Store, mutations: readonly StoreMutation[], batch?: BatchId) =>
  store.write(mutations, { signal: undefined, batch })
export const reasonOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => (isGraphError(error) ? `${error.reason} ${error.data.path ?? ''}`.trim() : error),
  )
