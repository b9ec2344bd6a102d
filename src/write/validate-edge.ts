import type { NodeId } from '../base/ids.ts'
import type { JsonObject } from '../base/json.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import type { EdgeKey, EdgeRecord } from '../store/contract.ts'
import type { ParsedMutationOf } from './parsed-mutation.ts'
import { createUnknownNameIssue } from './unknown-object.ts'
import { parseFields, type WritableFields } from './writable-fields.ts'
import { requireNodeType, requireWritableType, type WriteBatch } from './write-batch.ts'
import type { WritableEdge, WritableTarget } from './write-schema.ts'

const requireEdge = (batch: WriteBatch, { source, name }: EdgeKey): WritableEdge => {
  const { edges } = requireWritableType(batch, source, 'edge.source')
  const edge = edges.get(name)
  if (edge === undefined)
    throw createUnknownNameIssue('edge.name', `an edge of a ${batch.types.get(source)}`, name, edges.keys())
  return edge
}

const requireTarget = (batch: WriteBatch, edge: WritableEdge, target: NodeId): WritableTarget => {
  const type = requireNodeType(batch, target, 'edge.target')
  const writableTarget = edge.get(type)
  if (writableTarget === undefined) {
    const allowedTypes = [...edge.keys()].join(' or ')
    throw new ValidationIssue(`the id of a ${allowedTypes} (not of a ${type})`, target, 'edge.target')
  }
  return writableTarget
}

/** Returns the key of the mirrored edge, if any: an edge to itself may be its own mirror. */
const findMirror = (
  { source, name, target }: EdgeKey,
  { mirrorName }: WritableTarget,
): EdgeKey | undefined =>
  mirrorName === undefined || (mirrorName === name && source === target)
    ? undefined
    : { source: target, name: mirrorName, target: source }

const parseEdgeData = (fields: WritableFields, values: unknown): JsonObject | undefined => {
  if (values === undefined && fields.requiredNames.length === 0) return undefined
  const data = parseFields(fields, values === undefined ? {} : values, 'edge.data')
  return Object.keys(data).length > 0 ? data : undefined
}

const createEdgeRecord = (
  { source, name, target }: EdgeKey,
  time: number,
  data: JsonObject | undefined,
): EdgeRecord => (data === undefined ? { source, name, target, time } : { source, name, target, time, data })

/** Validates the put of an edge, and adds it to the batch with its mirror. */
export const addPutEdge = (batch: WriteBatch, mutation: ParsedMutationOf<'putEdge'>): void => {
  const writableTarget = requireTarget(batch, requireEdge(batch, mutation), mutation.target)
  const data = parseEdgeData(writableTarget.dataFields, mutation.data)
  const mirror = findMirror(mutation, writableTarget)
  batch.mutations.push({ op: 'putEdge', edge: createEdgeRecord(mutation, mutation.time, data) })
  if (mirror) batch.mutations.push({ op: 'putEdge', edge: createEdgeRecord(mirror, mutation.time, data) })
}

/**
 * Validates the deletion of an edge, and adds it to the batch with the deletion of its mirror. An edge of a
 * missing node does not exist, so there is nothing to delete.
 */
export const addDeleteEdge = (batch: WriteBatch, mutation: ParsedMutationOf<'deleteEdge'>): void => {
  const { source, name, target } = mutation
  if (batch.types.get(source) === undefined) return
  const edge = requireEdge(batch, mutation)
  if (batch.types.get(target) === undefined) return
  const mirror = findMirror(mutation, requireTarget(batch, edge, target))
  batch.mutations.push({ op: 'deleteEdge', edge: { source, name, target } })
  if (mirror) batch.mutations.push({ op: 'deleteEdge', edge: mirror })
}
