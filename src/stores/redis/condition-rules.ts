import { describeValue } from '../../base/describe.ts'
import { invalidMutationError } from '../../base/errors.ts'
import type { NodeId } from '../../base/ids.ts'
import { isConditional } from '../../store/conditional.ts'
import type { EdgeKey } from '../../store/contract.ts'
import { findMirror, isFirstSide } from '../../store/mirrors.ts'
import type { StoreMutation } from '../../store/mutations.ts'

const ONE_SOURCE =
  'since the server evaluates the conditions and increments of a batch at one source (use several writes)'

/** Whether a mutation writes what does not count as a source: an entry, which depends on a record, or a flag. */
const isSourceless = ({ op }: StoreMutation): boolean => op === 'deriveEntry' || op === 'putFlag'

/** The source that a mutation writes to, and where the mutation contains it; undefined for a token. */
const findSource = (mutation: StoreMutation): readonly [path: string, source: NodeId] | undefined => {
  switch (mutation.op) {
    case 'putNode':
      return ['node.id', mutation.node.id]
    case 'patchNode':
    case 'deleteNode':
      return ['id', mutation.id]
    case 'putEdge':
    case 'deleteEdge':
      return ['edge.source', mutation.edge.source]
    default:
      return undefined
  }
}

/** Returns the side of an edge on which its condition is evaluated, and that is written first. */
export const findFirstSide = (
  mutation: Extract<StoreMutation, { op: 'putEdge' | 'deleteEdge' }>,
  index: number,
): EdgeKey => {
  const { edge } = mutation
  const mirror = findMirror(mutation, index)
  return mirror === undefined || isFirstSide(edge, mirror) ? edge : mirror
}

/** Whether a mutation is a conditional write of a mirrored edge. */
const isMirroredCondition = (mutation: StoreMutation, index: number): boolean =>
  (mutation.op === 'putEdge' || mutation.op === 'deleteEdge') &&
  isConditional(mutation) &&
  findMirror(mutation, index) !== undefined

/**
 * Returns the source that a batch with conditions or increments writes to. For a mirrored edge, which is the
 * only mutation, it is the source of the first side. The reverse entries and mirrors of other edges, the entries of
 * collections and orders, and flags do not count.
 *
 * @throws GraphError `invalid_mutation` if the batch writes to several sources or to tokens.
 */
export const findOnlySource = (mutations: readonly StoreMutation[]): NodeId => {
  const ownMutations = mutations.filter(mutation => !isSourceless(mutation))
  for (const [index, mutation] of mutations.entries())
    if (ownMutations.length > 1 && isMirroredCondition(mutation, index))
      throw invalidMutationError(
        index,
        'when',
        'left out, or the mutation must be the only one of its batch, since the edge has a mirror at another source',
        `a batch of ${ownMutations.length} mutations`,
      )
  const [onlyMutation] = ownMutations
  if (onlyMutation?.op === 'putEdge' || onlyMutation?.op === 'deleteEdge')
    if (ownMutations.length === 1) return findFirstSide(onlyMutation, 0).source
  let expected: NodeId | undefined
  for (const [index, mutation] of mutations.entries()) {
    if (isSourceless(mutation)) continue
    const [path, source] = findSource(mutation) ?? ['op', undefined]
    if (source === undefined)
      throw invalidMutationError(index, path, `a write of a node or an edge, ${ONE_SOURCE}`, mutation.op)
    expected ??= source
    if (source !== expected)
      throw invalidMutationError(
        index,
        path,
        `${describeValue(expected)} as in the mutations before, ${ONE_SOURCE}`,
        describeValue(source),
      )
  }
  return expected ?? ''
}
