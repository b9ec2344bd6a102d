import type { NodeId } from '../base/ids.ts'
import type { JsonObject } from '../base/json.ts'
import type {
  EdgeRange,
  EdgeRecord,
  EdgeSlice,
  Mutation,
  NodeRecord,
  TokenRecord,
} from '../store/contract.ts'

/** The node that tests write where its type does not matter. */
export const nodeOf = (id: NodeId, fields: JsonObject = {}, type = 'thing'): NodeRecord => ({
  id,
  type,
  fields,
})

export const putNode = (id: NodeId, fields?: JsonObject, type?: string): Mutation => ({
  op: 'putNode',
  node: nodeOf(id, fields, type),
})

export const putNodes = (...ids: readonly NodeId[]): Mutation[] => ids.map(id => putNode(id))

export const putEdge = (
  source: NodeId,
  name: string,
  target: NodeId,
  time = 0,
  data?: JsonObject,
): Mutation => ({
  op: 'putEdge',
  edge: { source, name, target, time, data } satisfies EdgeRecord,
})

export const deleteEdge = (source: NodeId, name: string, target: NodeId): Mutation => ({
  op: 'deleteEdge',
  edge: { source, name, target },
})

export const tokenOf = (app: string, changed: Partial<TokenRecord> = {}): TokenRecord => ({
  viewer: undefined,
  app,
  scopes: [],
  issuedAt: 0,
  expiresAt: undefined,
  revokedAt: undefined,
  generation: '',
  ...changed,
})

/** A range over a whole list, oldest first and with its count, but for what is asked otherwise. */
export const rangeOf = (source: NodeId, name: string, asked: Partial<EdgeRange> = {}): EdgeRange => ({
  source,
  name,
  direction: 'oldest',
  from: undefined,
  minTime: undefined,
  maxTime: undefined,
  limit: 1000,
  count: true,
  ...asked,
})

export const targetsOf = (slice: EdgeSlice | undefined): readonly NodeId[] | undefined =>
  slice?.entries.map(entry => entry.target)
