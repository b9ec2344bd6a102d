import { describeValue } from '../base/describe.ts'
import { compareIds } from '../base/ids.ts'
import { usageError } from '../base/usage-error.ts'
import type { EdgeKey, EdgeRecord } from './contract.ts'
import type { StoreMutation } from './mutations.ts'

/** A mutation that writes or deletes an edge. */
type EdgeMutation = Extract<StoreMutation, { readonly op: 'putEdge' | 'deleteEdge' }>

const describeEnds = (source: unknown, target: unknown): string =>
  `an edge from ${describeValue(source)} to ${describeValue(target)}`

/**
 * Returns the other side of a mirrored mutation, or undefined if it has none or if the edge is its own mirror.
 * `index` is the index of the mutation in the batch.
 *
 * @throws TypeError if the mirror is not an edge from the target to the source.
 */
export const findMirror = ({ edge, mirror }: EdgeMutation, index: number): EdgeKey | undefined => {
  if (mirror === undefined) return undefined
  const { source, target } = edge
  if (mirror.source !== target || mirror.target !== source)
    throw usageError(
      'store.write',
      `mutations[${index}].mirror`,
      describeEnds(target, source),
      describeEnds(mirror.source, mirror.target),
    )
  return source === target && mirror.name === edge.name ? undefined : mirror
}

/** Creates the record of the other side, with the time and data of the edge. */
export const createMirrorRecord = (
  { time, data }: EdgeRecord,
  { source, name, target }: EdgeKey,
): EdgeRecord => (data === undefined ? { source, name, target, time } : { source, name, target, time, data })

/**
 * Whether an edge is the first side of a mirrored edge: the side with the smaller source or, if the sources
 * are equal, with the smaller name. The first side is written first and gives both sides their number.
 */
export const isFirstSide = (edge: EdgeKey, mirror: EdgeKey): boolean => {
  const order = compareIds(edge.source, mirror.source)
  return order === 0 ? compareUtf8(edge.name, mirror.name) < 0 : order < 0
}

const utf8Encoder = new TextEncoder()

/** Compares two texts by their bytes in UTF-8. */
const compareUtf8 = (a: string, b: string): number => {
  const [aBytes, bBytes] = [utf8Encoder.encode(a), utf8Encoder.encode(b)]
  const index = aBytes.findIndex((byte, at) => byte !== bBytes[at])
  return index === -1 ? aBytes.length - bBytes.length : (aBytes[index] ?? 0) - (bBytes[index] ?? -1)
}
