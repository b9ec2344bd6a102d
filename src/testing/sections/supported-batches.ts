import type { NodeId } from '../../base/ids.ts'
import { isSameJson } from '../../base/json.ts'
import { isConditional } from '../../store/conditional.ts'
import type { EdgeKey, StoreCapabilities } from '../../store/contract.ts'
import { findMirror } from '../../store/mirrors.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import type { Model } from '../model.ts'

/** Returns a mutation without its condition and its increments. */
const toPlainMutation = (mutation: StoreMutation): StoreMutation => {
  if (mutation.op === 'patchNode') return { op: 'patchNode', id: mutation.id, fields: mutation.fields }
  return 'when' in mutation ? { ...mutation, when: undefined } : mutation
}

const kindOrderOf = ({ op }: StoreMutation): number => (op.endsWith('Node') ? 0 : op.endsWith('Edge') ? 1 : 2)

const sourceOf = (mutation: StoreMutation): NodeId | undefined => {
  if ('edge' in mutation) return mutation.edge.source
  if ('node' in mutation) return mutation.node.id
  return 'id' in mutation ? mutation.id : undefined
}

/** Returns the mutation of a node or an edge, but of another source and without a mirror. */
const withSource = (mutation: StoreMutation, source: NodeId): StoreMutation => {
  switch (mutation.op) {
    case 'putNode':
      return { ...mutation, node: { ...mutation.node, id: source } }
    case 'patchNode':
      return { ...mutation, id: source }
    case 'putEdge':
      return { ...mutation, edge: { ...mutation.edge, source }, mirror: undefined }
    case 'deleteEdge':
      return { ...mutation, edge: { ...mutation.edge, source }, mirror: undefined }
    default:
      return mutation
  }
}

const recordKeyOf = (mutation: StoreMutation): string =>
  'edge' in mutation ? JSON.stringify([mutation.edge.name, mutation.edge.target]) : 'node'

const isFirstOfRecord = (mutation: StoreMutation, index: number, batch: readonly StoreMutation[]): boolean =>
  batch.findIndex(other => recordKeyOf(other) === recordKeyOf(mutation)) === index

const isOfNodeOrEdge = ({ op }: StoreMutation): boolean => op !== 'putToken' && op !== 'deleteToken'

/** Whether both sides of a mirrored edge exist with equal data, or neither exists. */
const hasEqualSides = ({ edges }: Model, mutation: StoreMutation): boolean => {
  const mirror = 'edge' in mutation ? findMirror(mutation, 0) : undefined
  if (mirror === undefined || !('edge' in mutation)) return true
  const [side, otherSide] = [mutation.edge, mirror].map(({ source, name, target }: EdgeKey) =>
    edges.find(edge => edge.source === source && edge.name === name && edge.target === target),
  )
  if (side === undefined || otherSide === undefined) return side === otherSide
  return isSameJson(side.data ?? {}, otherSide.data ?? {})
}

/**
 * Converts a batch with conditions to one of a single source. Each of its mutations changes another record, so
 * that conditions do not depend on the other mutations. A mirrored mutation, and a deletion of a node, is the
 * only one. Without equal sides, its condition would depend on which of the sides the store evaluates.
 */
const toBatchOfOneSource = (model: Model, batch: readonly StoreMutation[]): readonly StoreMutation[] => {
  const conditional = batch.find(isConditional)
  const source = conditional && sourceOf(conditional)
  if (conditional === undefined || source === undefined) return batch
  if (!hasEqualSides(model, conditional)) return [toPlainMutation(conditional)]
  if (conditional.op === 'deleteNode' || ('mirror' in conditional && conditional.mirror !== undefined))
    return [conditional]
  const others = batch.filter(
    mutation => mutation !== conditional && mutation.op !== 'deleteNode' && isOfNodeOrEdge(mutation),
  )
  return [conditional, ...others].map(mutation => withSource(mutation, source)).filter(isFirstOfRecord)
}

/**
 * Converts a batch to one that a store with the given capabilities must be able to write. A store with
 * atomicity `source` writes nodes before edges. `model` contains the records before the batch.
 */
export const toSupportedBatch = (
  { atomicity, conditionalWrites }: StoreCapabilities,
  model: Model,
  batch: readonly StoreMutation[],
): readonly StoreMutation[] => {
  const supported = conditionalWrites ? batch : batch.map(toPlainMutation)
  if (atomicity === 'batch') return supported
  return toBatchOfOneSource(model, supported).toSorted((a, b) => kindOrderOf(a) - kindOrderOf(b))
}
