import { describeValue } from '../base/describe.ts'
import { batchConflictError, invalidMutationError } from '../base/errors.ts'
import type { NodeId } from '../base/ids.ts'
import type { JsonObject } from '../base/json.ts'
import { comparePositions } from '../store/compare-positions.ts'
import type { BatchId } from '../store/conditional.ts'
import type {
  EdgeCheck,
  EdgeKey,
  EdgePosition,
  EdgeRange,
  EdgeRecord,
  NodeRecord,
  RangeResult,
  StoreReadRequest,
  StoreReadResult,
  TokenRecord,
} from '../store/contract.ts'
import { createMirrorRecord, findMirror } from '../store/mirrors.ts'
import type { StoreMutation } from '../store/mutations.ts'
import { assertDigest } from '../store/token-record.ts'
import { assertConditionHolds, incrementFields } from './model-conditions.ts'
import { withDerivedEntry } from './model-entries.ts'

/** A batch that was written with an id. */
type KnownBatch = { readonly digest: string; readonly expiresAt: number }

/** The content of a store. Mutations change it in place, so a write copies it first. */
export type Model = {
  readonly nodes: Map<NodeId, NodeRecord>
  edges: EdgeRecord[]
  readonly tokens: Map<string, TokenRecord>
  /** The batches that were written with an id, by id. */
  readonly batches: Map<string, KnownBatch>
  /** The values of the completion flags by name. */
  readonly flags: Map<string, string>
}

/** Creates the content of a new store. */
export const createEmptyModel = (): Model => ({
  nodes: new Map(),
  edges: [],
  tokens: new Map(),
  batches: new Map(),
  flags: new Map(),
})

const isSameEdge = (a: EdgeKey, b: EdgeKey): boolean =>
  a.target === b.target && a.source === b.source && a.name === b.name

const requireNode = ({ nodes }: Model, id: NodeId, index: number, path: string): NodeRecord => {
  const node = nodes.get(id)
  if (node === undefined)
    throw invalidMutationError(index, path, 'the id of an existing node', describeValue(id))
  return node
}

const putNode = ({ nodes }: Model, node: NodeRecord, index: number): void => {
  const type = nodes.get(node.id)?.type ?? node.type
  if (type !== node.type)
    throw invalidMutationError(index, 'node.type', describeValue(type), describeValue(node.type))
  nodes.set(node.id, node)
}

const patchNode = (
  model: Model,
  { id, fields: patch, increment }: Extract<StoreMutation, { op: 'patchNode' }>,
  index: number,
): void => {
  const node = requireNode(model, id, index, 'id')
  const merged = Object.entries({ ...node.fields, ...patch }).filter(([, value]) => value !== null)
  const fields = incrementFields(Object.fromEntries(merged), increment, index)
  model.nodes.set(id, { ...node, fields })
}

const findEdgeIndex = ({ edges }: Model, edge: EdgeKey): number =>
  edges.findIndex(other => isSameEdge(other, edge))

const putEdge = (model: Model, edge: EdgeRecord, index: number): void => {
  requireNode(model, edge.source, index, 'edge.source')
  requireNode(model, edge.target, index, 'edge.target')
  const edgeIndex = findEdgeIndex(model, edge)
  if (edgeIndex === -1) model.edges.push(edge)
  else model.edges[edgeIndex] = edge
}

const deleteEdge = (model: Model, edge: EdgeKey): void => {
  const edgeIndex = findEdgeIndex(model, edge)
  if (edgeIndex !== -1) model.edges.splice(edgeIndex, 1)
}

const deleteNode = (model: Model, id: NodeId): void => {
  model.nodes.delete(id)
  model.edges = model.edges.filter(({ source, target }) => source !== id && target !== id)
}

/** Writes or deletes the other side of a mirrored mutation. */
const applyMirror = (
  model: Model,
  mutation: Extract<StoreMutation, { op: 'putEdge' | 'deleteEdge' }>,
  index: number,
): void => {
  const mirror = findMirror(mutation, index)
  if (mirror === undefined) return
  if (mutation.op === 'deleteEdge') deleteEdge(model, mirror)
  else putEdge(model, createMirrorRecord(mutation.edge, mirror), index)
}

/** Returns the fields of the node or the data of the edge of a mutation; undefined if it does not exist. */
const findRecord = (model: Model, mutation: StoreMutation): JsonObject | undefined => {
  switch (mutation.op) {
    case 'putNode':
      return model.nodes.get(mutation.node.id)?.fields
    case 'patchNode':
    case 'deleteNode':
      return model.nodes.get(mutation.id)?.fields
    case 'putEdge':
    case 'deleteEdge': {
      const edge = model.edges[findEdgeIndex(model, mutation.edge)]
      return edge === undefined ? undefined : (edge.data ?? {})
    }
    default:
      return undefined
  }
}

/** Applies one mutation to a model, if its condition holds; `index` is the index of the mutation in the batch, for errors. */
export const applyMutation = (model: Model, mutation: StoreMutation, index: number): void => {
  if ('when' in mutation) assertConditionHolds(mutation.when, findRecord(model, mutation), index)
  switch (mutation.op) {
    case 'putNode':
      putNode(model, mutation.node, index)
      break
    case 'patchNode':
      patchNode(model, mutation, index)
      break
    case 'deleteNode':
      deleteNode(model, mutation.id)
      break
    case 'putEdge':
      putEdge(model, mutation.edge, index)
      applyMirror(model, mutation, index)
      break
    case 'deleteEdge':
      deleteEdge(model, mutation.edge)
      applyMirror(model, mutation, index)
      break
    case 'putToken':
      assertDigest('store.write', mutation.digest)
      model.tokens.set(mutation.digest, mutation.token)
      break
    case 'deleteToken':
      assertDigest('store.write', mutation.digest)
      model.tokens.delete(mutation.digest)
      break
    case 'deriveEntry':
      model.edges = withDerivedEntry(model, mutation.entry)
      break
    case 'putFlag':
      model.flags.set(mutation.flag.name, mutation.flag.value)
      break
  }
}

/** Applies a batch to a copy of a model; `apply` applies one mutation. */
export const writeModel = (
  { nodes, edges, tokens, batches, flags }: Model,
  mutations: readonly StoreMutation[],
  apply = applyMutation,
): Model => {
  const model = {
    nodes: new Map(nodes),
    edges: [...edges],
    tokens: new Map(tokens),
    batches: new Map(batches),
    flags: new Map(flags),
  }
  mutations.forEach((mutation, index) => {
    apply(model, mutation, index)
  })
  return model
}

/** Applies a batch to a copy of a model, unless the model knows the id of the batch. */
export const writeModelOnce = (
  model: Model,
  mutations: readonly StoreMutation[],
  batch: BatchId | undefined,
  apply = applyMutation,
): Model => {
  if (batch === undefined) return writeModel(model, mutations, apply)
  const { id, digest, keepMs } = batch
  const knownBatch = model.batches.get(id)
  if (knownBatch === undefined || knownBatch.expiresAt <= Date.now()) {
    const nextModel = writeModel(model, mutations, apply)
    nextModel.batches.set(id, { digest, expiresAt: Date.now() + keepMs })
    return nextModel
  }
  if (knownBatch.digest !== digest) throw batchConflictError()
  return model
}

const isInRange = (
  position: EdgePosition,
  { direction, from, minTime, maxTime }: EdgeRange,
  compare: typeof comparePositions,
): boolean => {
  if (minTime !== undefined && position.time < minTime) return false
  if (maxTime !== undefined && position.time > maxTime) return false
  if (from === undefined) return true
  return direction === 'newest' ? compare(position, from) < 0 : compare(position, from) > 0
}

/** Reads a range by scanning all edges. */
export const readModelRange = (model: Model, range: EdgeRange, compare = comparePositions): RangeResult => {
  const list = model.edges.filter(({ source, name }) => source === range.source && name === range.name)
  const matching = list.filter(edge => isInRange(edge, range, compare)).sort(compare)
  if (range.direction === 'newest') matching.reverse()
  const page = matching.slice(0, range.limit)
  const last = page.at(-1)
  return {
    entries: page.flatMap(({ target, time, data }) => {
      const node = model.nodes.get(target)
      return node === undefined ? [] : [{ target, time, data, node }]
    }),
    hasMore: last !== undefined && matching.length > page.length,
    lastExamined: last === undefined ? undefined : { time: last.time, target: last.target },
    total: range.count ? list.length : undefined,
  }
}

/** Reads a check by scanning edges. */
export const readModelCheck = (edges: readonly EdgeRecord[], key: EdgeCheck): boolean | EdgeRecord => {
  const edge = edges.find(other => isSameEdge(other, key))
  return edge !== undefined && (key.data === true ? edge : true)
}

/** Executes a read request by scanning all records. */
export const readModel = (model: Model, request: StoreReadRequest): StoreReadResult => ({
  nodes: request.nodes.map(id => model.nodes.get(id)),
  ranges: request.ranges.map(range => readModelRange(model, range)),
  checks: request.checks.map(key => readModelCheck(model.edges, key)),
  tokens: request.tokens.map(digest => {
    assertDigest('store.read', digest)
    return model.tokens.get(digest)
  }),
  ...(request.flags && {
    flags: request.flags.map(({ name, value }) => model.flags.get(name) === value || model.nodes.size === 0),
  }),
})
