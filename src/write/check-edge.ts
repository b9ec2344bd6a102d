import type { NodeId } from '../base/ids.ts'
import type { JsonObject } from '../base/json.ts'
import { Mismatch } from '../schema/field-type.ts'
import type { EdgeRecord, EdgeTest } from '../store/contract.ts'
import { type Batch, knownTypeOf, typeOf } from './batch.ts'
import type { DraftOf } from './draft.ts'
import { unknownName } from './members.ts'
import { parseFields, type WritableFields } from './writable-fields.ts'
import type { Connection, WritableEdge } from './write-schema.ts'

const edgeOf = (batch: Batch, { source, name }: EdgeTest): WritableEdge => {
  const { edges } = knownTypeOf(batch, source, 'edge.source')
  const edge = edges.get(name)
  if (edge === undefined)
    throw unknownName('edge.name', `an edge of a ${batch.types.get(source)}`, name, edges.keys())
  return edge
}

const connectionOf = (batch: Batch, edge: WritableEdge, target: NodeId): Connection => {
  const type = typeOf(batch, target, 'edge.target')
  const connection = edge.get(type)
  if (connection === undefined) {
    const fitting = [...edge.keys()].join(' or ')
    throw new Mismatch(`the id of a ${fitting}, not of a ${type}`, target, 'edge.target')
  }
  return connection
}

/** The key of the edge that is kept beside another, if any: an edge to itself may be its own mirror. */
const mirrorOf = ({ source, name, target }: EdgeTest, { mirror }: Connection): EdgeTest | undefined =>
  mirror === undefined || (mirror === name && source === target)
    ? undefined
    : { source: target, name: mirror, target: source }

const dataOf = (fields: WritableFields, values: unknown): JsonObject | undefined => {
  if (values === undefined && fields.required.length === 0) return undefined
  const data = parseFields(fields, values === undefined ? {} : values, 'edge.data')
  return Object.keys(data).length > 0 ? data : undefined
}

const recordOf = (
  { source, name, target }: EdgeTest,
  time: number,
  data: JsonObject | undefined,
): EdgeRecord => (data === undefined ? { source, name, target, time } : { source, name, target, time, data })

export const checkPutEdge = (batch: Batch, draft: DraftOf<'putEdge'>): void => {
  const connection = connectionOf(batch, edgeOf(batch, draft), draft.target)
  const data = dataOf(connection.data, draft.data)
  const mirror = mirrorOf(draft, connection)
  batch.mutations.push({ op: 'putEdge', edge: recordOf(draft, draft.time, data) })
  if (mirror) batch.mutations.push({ op: 'putEdge', edge: recordOf(mirror, draft.time, data) })
}

/** An edge of a node that does not exist is not there: there is nothing to delete. */
export const checkDeleteEdge = (batch: Batch, draft: DraftOf<'deleteEdge'>): void => {
  const { source, name, target } = draft
  if (batch.types.get(source) === undefined) return
  const edge = edgeOf(batch, draft)
  if (batch.types.get(target) === undefined) return
  const mirror = mirrorOf(draft, connectionOf(batch, edge, target))
  batch.mutations.push({ op: 'deleteEdge', edge: { source, name, target } })
  if (mirror) batch.mutations.push({ op: 'deleteEdge', edge: mirror })
}
