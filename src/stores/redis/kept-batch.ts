import type { NodeId } from '../../base/ids.ts'
import { isNonArrayObject } from '../../base/json.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { findFirstSide } from './condition-rules.ts'
import { parseJson } from './stored-json.ts'

/**
 * The part of a batch that is kept with its id while the batch is written. It completes the batch, even if the
 * batch is no longer valid when it is sent again.
 */
export type KeptBatch = {
  /** The source of a batch with conditions or increments; undefined for any other batch. */
  readonly source: NodeId | undefined
  readonly mutations: readonly StoreMutation[]
}

/** Whether a mutation writes a mirrored edge whose first side is at another source. */
const isElsewhere = (source: NodeId, mutation: StoreMutation, index: number): boolean =>
  (mutation.op === 'putEdge' || mutation.op === 'deleteEdge') &&
  findFirstSide(mutation, index).source !== source

/** Whether a batch of one source also writes mirrored edges whose first sides are at other sources. */
export const hasOtherSources = (source: NodeId, mutations: readonly StoreMutation[]): boolean =>
  mutations.some((mutation, index) => isElsewhere(source, mutation, index))

/**
 * Returns the part of a batch with conditions or increments that completes it after its script has run at its
 * source. It omits what the script has written, because it may be kept for minutes after the write.
 */
export const toKeptBatch = (source: NodeId, mutations: readonly StoreMutation[]): KeptBatch => ({
  source,
  mutations: mutations.flatMap((mutation, index): readonly StoreMutation[] => {
    if (mutation.op === 'putNode') return [{ op: 'putNode', node: { ...mutation.node, fields: {} } }]
    if (mutation.op === 'deleteNode') return [{ op: 'deleteNode', id: mutation.id }]
    const isKept = mutation.op === 'deriveEntry' || mutation.op === 'putFlag'
    return isKept || isElsewhere(source, mutation, index) ? [mutation] : []
  }),
})

export const encodeKeptBatch = ({ source, mutations }: KeptBatch): string =>
  JSON.stringify([source ?? null, mutations])

const isMutationList = (value: unknown): value is readonly StoreMutation[] =>
  Array.isArray(value) && value.every(item => isNonArrayObject(item) && typeof item.op === 'string')

/** Parses a kept batch. Returns undefined if there is none, or if another program has damaged it. */
export const parseKeptBatch = (text: string): KeptBatch | undefined => {
  const cells = parseJson(text)
  const [source, mutations]: readonly unknown[] = Array.isArray(cells) ? cells : []
  if (!isMutationList(mutations)) return undefined
  if (source === null) return { source: undefined, mutations }
  return typeof source === 'string' ? { source, mutations } : undefined
}
