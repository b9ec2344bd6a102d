import type { JsonObject } from '../base/json.ts'
import { Mismatch } from '../schema/field-type.ts'
import type { EdgeRecord, EdgeTest } from '../store/contract.ts'
import { type Batch, knownTypeOf, typeOf } from './batch.ts'
import type { Draft, EdgeDraft } from './draft.ts'
import { unknownName } from './members.ts'
import { parseFields, type WritableFields } from './writable-fields.ts'
import type { Connection, WritableEdge } from './write-schema.ts'

/** An edge whose source has an edge of that name. */
type NamedEdge = { readonly key: EdgeTest; readonly edge: WritableEdge }

const namedEdge = (batch: Batch, { source, name, target }: EdgeDraft): NamedEdge => {
  const { edges } = knownTypeOf(batch, source, 'edge.source')
  const edge = typeof name === 'string' ? edges.get(name) : undefined
  if (typeof name !== 'string' || edge === undefined) {
    throw unknownName('edge.name', `an edge of a ${batch.types.get(source)}`, name, edges.keys())
  }
  return { key: { source, name, target }, edge }
}

const connectionOf = (batch: Batch, { key, edge }: NamedEdge): Connection => {
  const type = typeOf(batch, key.target, 'edge.target')
  const connection = edge.get(type)
  if (connection === undefined) {
    const fitting = [...edge.keys()].join(' or ')
    throw new Mismatch(`the id of a ${fitting}, not of a ${type}`, key.target, 'edge.target')
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

export const checkPutEdge = (batch: Batch, draft: Extract<Draft, { readonly op: 'putEdge' }>): void => {
  const named = namedEdge(batch, draft)
  const connection = connectionOf(batch, named)
  const data = dataOf(connection.data, draft.data)
  const mirror = mirrorOf(named.key, connection)
  batch.mutations.push({ op: 'putEdge', edge: recordOf(named.key, draft.time, data) })
  if (mirror) batch.mutations.push({ op: 'putEdge', edge: recordOf(mirror, draft.time, data) })
}

/** An edge of a node that does not exist is not there: there is nothing to delete. */
export const checkDeleteEdge = (batch: Batch, draft: EdgeDraft): void => {
  if (batch.types.get(draft.source) === undefined) return
  const named = namedEdge(batch, draft)
  if (batch.types.get(draft.target) === undefined) return
  const mirror = mirrorOf(named.key, connectionOf(batch, named))
  batch.mutations.push({ op: 'deleteEdge', edge: named.key })
  if (mirror) batch.mutations.push({ op: 'deleteEdge', edge: mirror })
}
