import { isSameJson } from '../base/json.ts'
import { findEdgeOfList, findMirrorEdge, type NamedEdge, pairLists } from '../schema/edge-lists.ts'
import { getOwn } from '../schema/node.ts'
import type { Schema } from '../schema/schema.ts'
import type { EdgeKey } from '../store/contract.ts'
import type { Finding, InspectedEdge, MirrorState } from '../store/inspection.ts'
import { isFirstSide } from '../store/mirrors.ts'

const findMirrorList = (edge: NamedEdge, mirror: NamedEdge, list: string): string | undefined =>
  // Most edges have one list, and a store may have millions of them.
  edge.edge.lists === undefined ? mirror.name : pairLists(edge, mirror)?.get(list)

/** Returns the key of the mirror that the schema declares for an edge, or undefined if it has none. */
export const findMirrorKey = (
  { types }: Schema,
  { source, name, target, sourceType, targetType }: InspectedEdge,
): EdgeKey | undefined => {
  if (sourceType === undefined || targetType === undefined) return undefined
  const type = getOwn(types, sourceType)
  const namedEdge = type && findEdgeOfList(type, name)
  if (namedEdge === undefined || !namedEdge.edge.targets.includes(targetType)) return undefined
  const mirror = findMirrorEdge(types, namedEdge, targetType)
  const mirrorList = mirror && findMirrorList(namedEdge, mirror, name)
  const isOwnMirror = mirrorList === name && source === target
  return mirrorList === undefined || isOwnMirror
    ? undefined
    : { source: target, name: mirrorList, target: source }
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
