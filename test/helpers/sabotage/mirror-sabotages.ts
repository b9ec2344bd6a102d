import type { EdgeRecord, Store } from '../../../src/store/contract.ts'
import { createMirrorRecord, findMirror } from '../../../src/store/mirrors.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { type Sabotage, sabotageModel, yieldToOthers } from './sabotage.ts'

const SECTION = 'mirrored edges'

type EdgeMutation = Extract<StoreMutation, { op: 'putEdge' | 'deleteEdge' }>

const isEdgeMutation = (mutation: StoreMutation): mutation is EdgeMutation =>
  mutation.op === 'putEdge' || mutation.op === 'deleteEdge'

/** Returns the mutation of the other side of a mirrored mutation. */
const mirrorMutationOf = (mutation: EdgeMutation): StoreMutation[] => {
  const mirror = findMirror(mutation, 0)
  if (mirror === undefined) return []
  return mutation.op === 'deleteEdge'
    ? [{ op: 'deleteEdge', edge: mirror }]
    : [{ op: 'putEdge', edge: createMirrorRecord(mutation.edge, mirror) }]
}

const withoutMirror = (mutation: EdgeMutation): StoreMutation =>
  mutation.op === 'putEdge'
    ? { op: 'putEdge', edge: mutation.edge }
    : { op: 'deleteEdge', edge: mutation.edge }

/** Creates a store that changes each mirrored mutation before it writes the batch. */
const sabotageMirrors = (
  name: string,
  rewrite: (mutation: EdgeMutation) => readonly StoreMutation[],
): Sabotage =>
  sabotageModel(name, SECTION, store => ({
    write: (mutations, options) =>
      store.write(
        mutations.flatMap(mutation => (isEdgeMutation(mutation) ? rewrite(mutation) : [mutation])),
        options,
      ),
  }))

const changeMirrorRecord = (mutation: EdgeMutation, change: Partial<EdgeRecord>): readonly StoreMutation[] =>
  mutation.op === 'deleteEdge' || mutation.mirror === undefined || findMirror(mutation, 0) === undefined
    ? [mutation]
    : [
        withoutMirror(mutation),
        { op: 'putEdge', edge: { ...createMirrorRecord(mutation.edge, mutation.mirror), ...change } },
      ]

/** Writes the mirrors of a batch after all of its other mutations. */
const writeMirrorsLast = (store: Store): Store['write'] => {
  const isMirrored = (mutation: StoreMutation): mutation is EdgeMutation =>
    isEdgeMutation(mutation) && mutation.mirror !== undefined
  return (mutations, options) => {
    const sides = mutations.map(mutation => (isMirrored(mutation) ? withoutMirror(mutation) : mutation))
    return store.write([...sides, ...mutations.filter(isMirrored).flatMap(mirrorMutationOf)], options)
  }
}

/** Writes a single mirrored mutation as two batches, and lets other writers run between them. */
const writeSidesApart =
  (store: Store): Store['write'] =>
  async (mutations, options) => {
    const [mutation] = mutations
    if (mutations.length !== 1 || mutation === undefined || !isEdgeMutation(mutation))
      return store.write(mutations, options)
    await store.write([withoutMirror(mutation)], options)
    await yieldToOthers()
    return store.write(mirrorMutationOf(mutation), options)
  }

/** Stores that keep the sides of mirrored edges wrongly. */
export const mirrorSabotages: readonly Sabotage[] = [
  sabotageMirrors('mirrors that are ignored', mutation => [withoutMirror(mutation)]),
  sabotageMirrors('mirrors with another time', mutation =>
    mutation.op === 'putEdge' ? changeMirrorRecord(mutation, { time: mutation.edge.time + 1 }) : [mutation],
  ),
  sabotageMirrors('mirrors without data', mutation => changeMirrorRecord(mutation, { data: undefined })),
  sabotageMirrors('deletions that delete one side', mutation =>
    mutation.op === 'deleteEdge' ? [withoutMirror(mutation)] : [mutation],
  ),
  sabotageMirrors('wrong mirrors that are accepted', mutation => {
    const { source, target } = mutation.edge
    const { mirror } = mutation
    const isWrong = mirror !== undefined && (mirror.source !== target || mirror.target !== source)
    return [isWrong ? withoutMirror(mutation) : mutation]
  }),
  sabotageMirrors('an error with the index of a batch whose mirrors are mutations of their own', mutation => [
    withoutMirror(mutation),
    ...mirrorMutationOf(mutation),
  ]),
  sabotageModel('mirrors that are written after the rest of the batch', SECTION, store => ({
    write: writeMirrorsLast(store),
  })),
  sabotageModel('sides that concurrent writers write in another order', SECTION, store => ({
    write: writeSidesApart(store),
  })),
]
