import { isSameJson } from '../base/json.ts'
import { getOwn } from '../schema/node.ts'
import type { Schema } from '../schema/schema.ts'
import type { EdgeKey } from '../store/contract.ts'
import type { Finding, InspectedEdge, MirrorState } from '../store/inspection.ts'
import { isFirstSide } from '../store/mirrors.ts'

/** Returns the key of the mirror that the schema declares for an edge, or undefined if it has none. */
export const findMirrorKey = (
  { types }: Schema,
  { source, name, target, sourceType, targetType }: InspectedEdge,
): EdgeKey | undefined => {
  if (sourceType === undefined || targetType === undefined) return undefined
  const type = getOwn(types, sourceType)
  const edge = type && getOwn(type.edges, name)
  if (edge === undefined || !edge.targets.includes(targetType)) return undefined
  const mirrorName = edge.symmetric ? name : edge.inverse
  const isOwnMirror = mirrorName === name && source === target
  return mirrorName === undefined || isOwnMirror
    ? undefined
    : { source: target, name: mirrorName, target: source }
}

const isEqual = (edge: InspectedEdge, mirror: InspectedEdge): boolean =>
  edge.time === mirror.time && isSameJson(edge.data ?? null, mirror.data ?? null)

/** Returns the error in a mirrored edge, or undefined if its sides are equal or the edge is gone. */
export const findMirrorError = (
  key: EdgeKey,
  mirrorKey: EdgeKey,
  state: MirrorState,
): Finding | undefined => {
  const { edge, mirror, isDeleted } = state
  if (edge === undefined || edge.sourceType === undefined || edge.targetType === undefined) return undefined
  if (mirror === undefined) return { kind: 'halfMirror', edge: key, mirror: mirrorKey, isDeleted }
  // Each pair is reported once.
  if (isEqual(edge, mirror) || !isFirstSide(key, mirrorKey)) return undefined
  return { kind: 'unequalMirror', edge: key, mirror: mirrorKey }
}
