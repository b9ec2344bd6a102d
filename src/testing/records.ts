import type { NodeId } from '../base/ids.ts'
import type { JsonObject } from '../base/json.ts'
import type { Increment, WriteCondition } from '../store/conditional.ts'
import type {
  EdgeKey,
  EdgeRange,
  EdgeRecord,
  NodeRecord,
  RangeResult,
  TokenRecord,
} from '../store/contract.ts'
import type { StoreMutation } from '../store/mutations.ts'

/** Creates a node. The default type is for tests in which the type does not matter. */
export const createNode = (id: NodeId, fields: JsonObject = {}, type = 'thing'): NodeRecord => ({
  id,
  type,
  fields,
})

export const putNode = (id: NodeId, fields?: JsonObject, type?: string): StoreMutation => ({
  op: 'putNode',
  node: createNode(id, fields, type),
})

export const putNodes = (...ids: readonly NodeId[]): StoreMutation[] => ids.map(id => putNode(id))

export const putEdge = (
  source: NodeId,
  name: string,
  target: NodeId,
  time = 0,
  data?: JsonObject,
): StoreMutation => ({
  op: 'putEdge',
  edge: { source, name, target, time, data } satisfies EdgeRecord,
})

export const deleteEdge = (source: NodeId, name: string, target: NodeId): StoreMutation => ({
  op: 'deleteEdge',
  edge: { source, name, target },
})

export const patchNode = (id: NodeId, fields: JsonObject): StoreMutation => ({ op: 'patchNode', id, fields })

/** Adds to a value of a node. The default bounds are those of integers, but the result may have decimals. */
export const incrementNode = (
  id: NodeId,
  name: string,
  by: number,
  limits: Partial<Increment> = {},
): StoreMutation => ({
  op: 'patchNode',
  id,
  fields: {},
  increment: {
    [name]: {
      by,
      min: -Number.MAX_SAFE_INTEGER,
      max: Number.MAX_SAFE_INTEGER,
      isInteger: false,
      ...limits,
    },
  },
})

/** Adds a condition to a mutation of a node or an edge. */
export const withCondition = (mutation: StoreMutation, when: WriteCondition): StoreMutation =>
  mutation.op === 'putNode' ||
  mutation.op === 'patchNode' ||
  mutation.op === 'deleteNode' ||
  mutation.op === 'putEdge' ||
  mutation.op === 'deleteEdge'
    ? { ...mutation, when }
    : mutation

/** Adds a mirror with the given name to a mutation of an edge. */
export const withMirror = (mutation: StoreMutation, name: string): StoreMutation => {
  if (mutation.op !== 'putEdge' && mutation.op !== 'deleteEdge') return mutation
  const { source, target } = mutation.edge
  const mirror: EdgeKey = { source: target, name, target: source }
  return { ...mutation, mirror }
}

export const createToken = (app: string, overrides: Partial<TokenRecord> = {}): TokenRecord => ({
  viewer: undefined,
  app,
  scopes: [],
  issuedAt: 0,
  expiresAt: undefined,
  revokedAt: undefined,
  generation: '',
  ...overrides,
})

/** Creates a range over a whole list, oldest first and with its count, except for the overrides. */
export const createRange = (source: NodeId, name: string, overrides: Partial<EdgeRange> = {}): EdgeRange => ({
  source,
  name,
  direction: 'oldest',
  from: undefined,
  minTime: undefined,
  maxTime: undefined,
  limit: 1000,
  count: true,
  ...overrides,
})

export const targetsOf = (rangeResult: RangeResult | undefined): readonly NodeId[] | undefined =>
  rangeResult?.entries.map(entry => entry.target)
