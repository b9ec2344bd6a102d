import { describeValue } from '../../base/describe.ts'
import type { NodeId } from '../../base/ids.ts'
import { isNonArrayObject, type JsonObject, type JsonValue } from '../../base/json.ts'
import { usageError } from '../../base/usage-error.ts'
import type { EdgeRecord, NodeRecord, TokenRecord } from '../../store/contract.ts'
import { ROOT_ID } from '../../store/derived-entries.ts'
import { createMirrorRecord, findMirror } from '../../store/mirrors.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { assertDigest } from '../../store/token-record.ts'
import { PendingNodeTypes } from '../pending-node-types.ts'
import type { RecordTable } from './record-table.ts'

const toFrozenValue = (value: JsonValue): JsonValue => {
  // `JSON.stringify` writes negative zero as 0, so stores that save text return 0 too.
  if (typeof value === 'number') return value === 0 ? 0 : value
  if (Array.isArray(value)) return Object.freeze(value.map(toFrozenValue))
  return isNonArrayObject(value) ? toFrozenJson(value) : value
}

/** Defines a member instead of assigning it, so that `__proto__` is a plain member. */
const defineMember = (object: object, name: string, value: JsonValue): void => {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}

/**
 * Returns a deeply frozen copy of a JSON object. Members are added one by one, so that records with the same
 * members share a hidden class. Frozen copies that are created by spreading would have one hidden class each,
 * take twice the memory, and be slow to read. `Object.fromEntries` would take three times as long.
 */
const toFrozenJson = (object: JsonObject): JsonObject => {
  const copy: { [name: string]: JsonValue } = {}
  for (const name of Object.keys(object)) {
    const value = object[name]
    // JSON has no undefined values.
    if (value === undefined) continue
    if (name === '__proto__') defineMember(copy, name, toFrozenValue(value))
    else copy[name] = toFrozenValue(value)
  }
  return Object.freeze(copy)
}

/** Returns a deeply frozen copy of a token record, including its undefined members. */
const toFrozenToken = (token: TokenRecord): TokenRecord => {
  const { viewer, app, scopes, issuedAt, expiresAt, revokedAt, generation, ...others } = token
  const copy = { viewer, app, scopes: Object.freeze([...scopes]), issuedAt, expiresAt, revokedAt, generation }
  for (const [name, value] of Object.entries(others)) defineMember(copy, name, toFrozenValue(value))
  return Object.freeze(copy)
}

/** A batch of valid mutations without mirrors, with copies of the records. */
export type PreparedBatch = {
  readonly mutations: readonly StoreMutation[]
  /**
   * Two numbers for each mutation: the source and the target of a `putEdge`. The number is 0 for an end that
   * the batch itself puts, and for any other mutation.
   */
  readonly endpointNumbers: readonly number[]
}

const toFrozenNode = ({ id, type, fields }: NodeRecord): NodeRecord =>
  Object.freeze({ id, type, fields: toFrozenJson(fields) })

const copyEdge = (edge: EdgeRecord): EdgeRecord =>
  edge.data === undefined ? edge : { ...edge, data: toFrozenJson(edge.data) }

const prepareMutation = (
  nodeTypes: PendingNodeTypes,
  mutation: StoreMutation,
  index: number,
): StoreMutation => {
  switch (mutation.op) {
    case 'putNode':
      nodeTypes.recordPut(mutation.node, index)
      return { op: 'putNode', node: toFrozenNode(mutation.node) }
    case 'patchNode':
      nodeTypes.assertExists(mutation.id, index, 'id')
      return { op: 'patchNode', id: mutation.id, fields: toFrozenJson(mutation.fields) }
    case 'deleteNode':
      nodeTypes.recordDeletion(mutation.id)
      return mutation
    case 'putEdge':
      return mutation.edge.data === undefined ? mutation : { op: 'putEdge', edge: copyEdge(mutation.edge) }
    case 'deleteEdge':
    case 'putFlag':
      return mutation
    case 'deleteToken':
      assertDigest('store.write', mutation.digest)
      return mutation
    case 'putToken':
      assertDigest('store.write', mutation.digest)
      return { op: 'putToken', digest: mutation.digest, token: toFrozenToken(mutation.token) }
    default:
      throw usageError(
        'store.write',
        `mutations[${index}]`,
        'a mutation with an "op" such as "putNode"',
        describeValue(mutation),
      )
  }
}

const hasMirror = (mutation: StoreMutation): boolean =>
  (mutation.op === 'putEdge' || mutation.op === 'deleteEdge') && mutation.mirror !== undefined

/**
 * Replaces each mirrored mutation by two mutations, one for each side. `indexOf` returns the index of a
 * mutation in the original batch.
 */
const splitMirrors = (batch: readonly StoreMutation[]) => {
  // Most batches have no mirrors, and need no copy.
  if (!batch.some(hasMirror)) return { mutations: batch, indexOf: (position: number) => position }
  const mutations: StoreMutation[] = []
  const indexes: number[] = []
  batch.forEach((mutation, index) => {
    mutations.push(mutation)
    indexes.push(index)
    if (mutation.op !== 'putEdge' && mutation.op !== 'deleteEdge') return
    const mirror = findMirror(mutation, index)
    if (mirror === undefined) return
    if (mutation.op === 'deleteEdge') mutations.push({ op: 'deleteEdge', edge: mirror })
    else mutations.push({ op: 'putEdge', edge: createMirrorRecord(mutation.edge, mirror) })
    indexes.push(index)
  })
  return { mutations, indexOf: (position: number) => indexes[position] ?? position }
}

/**
 * Returns the numbers of the ends of each `putEdge` before the batch: two for each mutation, which are 0 if
 * there is no node.
 */
const findEndpointNumbers = (
  nodes: RecordTable<NodeRecord>,
  mutations: readonly StoreMutation[],
): number[] => {
  const ids: NodeId[] = []
  for (const mutation of mutations) {
    if (mutation.op === 'putEdge') ids.push(mutation.edge.source, mutation.edge.target)
    else ids.push('', '')
  }
  return nodes.findLiveNumbers(ids)
}

/**
 * Validates a whole batch against the existing nodes, each mutation after the effects of the previous ones,
 * and returns it with copied and frozen records.
 *
 * @throws GraphError `invalid_mutation` if a mutation would change the type of a node, puts an edge without
 * both ends, or patches a missing node; TypeError for the mirror of another edge.
 */
export const prepareBatch = (
  nodes: RecordTable<NodeRecord>,
  batch: readonly StoreMutation[],
): PreparedBatch => {
  const { mutations, indexOf } = splitMirrors(batch)
  const nodeTypes = new PendingNodeTypes(id => nodes.get(id)?.type)
  const endpointNumbers = findEndpointNumbers(nodes, mutations)
  /**
   * Keeps the number of an end that the batch has not written so far. For any other end, asserts that the
   * node exists at this point, and sets the number to 0.
   */
  const checkEndpoint = (id: NodeId, endpointIndex: number, path: string): void => {
    if (endpointNumbers[endpointIndex] !== 0 && !nodeTypes.isPutOrDeleted(id)) return
    nodeTypes.assertExists(id, indexOf(endpointIndex >>> 1), path)
    endpointNumbers[endpointIndex] = 0
  }
  const preparedMutations = mutations.map((mutation, position) => {
    if (mutation.op === 'putEdge') {
      if (mutation.edge.source !== ROOT_ID) checkEndpoint(mutation.edge.source, 2 * position, 'edge.source')
      checkEndpoint(mutation.edge.target, 2 * position + 1, 'edge.target')
    }
    return prepareMutation(nodeTypes, mutation, indexOf(position))
  })
  return { mutations: preparedMutations, endpointNumbers }
}
