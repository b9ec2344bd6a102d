import type { JsonObject } from '../../base/json.ts'
import type { EdgeKey, EdgeRecord, NodeRecord } from '../../store/contract.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { mergeFields } from '../batch.ts'
import { resolveMutations, type StoredState } from '../resolve-mutations.ts'
import { LIST_COLUMN, TARGET_COLUMN } from './edge-table.ts'
import {
  FIRST_LIST_COLUMN,
  findEdge,
  findList,
  findLists,
  findSource,
  type GraphTables,
  NAME_COLUMN,
  NEXT_LIST_COLUMN,
} from './graph-tables.ts'
import { type PreparedBatch, prepareBatch } from './prepare-batch.ts'

/**
 * The number of mutations whose rows are prefetched at once. The processor cache would not keep the rows of
 * more mutations until they are written.
 */
const PREFETCH_COUNT = 64

/**
 * Returns the list of each `putEdge` among the next mutations of a batch, by position; 0 for any other
 * mutation, and if the list or its source does not exist yet.
 *
 * It also reads the rows that the edges will be inserted into, in one tight loop for each kind of row. In a
 * large graph, almost every row is a cache miss. The processor overlaps the misses of one loop, but would
 * wait for them one by one if it wrote edge by edge.
 */
const prefetchLists = (
  tables: GraphTables,
  { mutations, endpointNumbers }: PreparedBatch,
  start: number,
): number[] => {
  const { names, outgoing, incoming } = tables
  const sources: number[] = []
  const targets: number[] = []
  const nameNumbers: number[] = []
  const times: number[] = []
  const end = Math.min(mutations.length, start + PREFETCH_COUNT)
  for (let index = start; index < end; index++) {
    const mutation = mutations[index]
    const edge = mutation?.op === 'putEdge' ? mutation.edge : undefined
    sources.push(endpointNumbers[2 * index] ?? 0)
    targets.push(endpointNumbers[2 * index + 1] ?? 0)
    nameNumbers.push(edge === undefined ? 0 : names.findNumber(edge.name))
    times.push(edge === undefined ? 0 : edge.time)
  }
  incoming.prefetchSizes(targets)
  const lists = findLists(tables, sources, nameNumbers)
  outgoing.prefetchInsertPoints(lists, times)
  return lists
}

/** Returns the list of a node's edges with the given name. Creates the list if there is none. */
const findOrCreateList = (tables: GraphTables, source: number, name: string): number =>
  findList(tables, source, name) || createList(tables, source, name)

/**
 * Writes an edge of a list. `target` is the number of the target node. An existing edge gets the new time and
 * data.
 */
const putEdge = (
  tables: GraphTables,
  list: number,
  target: number,
  { time, data }: Pick<EdgeRecord, 'time' | 'data'>,
): void => {
  const { edges, outgoing, incoming } = tables
  const existingEdge = findEdge(tables, list, target)
  const edge = existingEdge === 0 ? edges.add(list, target, time) : existingEdge
  edges.setData(edge, data)
  if (existingEdge === 0) incoming.insert(target, edge)
  else if (edges.timeOf(edge) === time) return
  else {
    outgoing.remove(list, edge)
    edges.setTime(edge, time)
  }
  outgoing.insert(list, edge)
}

/** Deletes an edge, if it exists. */
const deleteEdge = (tables: GraphTables, { source, name, target }: EdgeKey): void => {
  const { nodes, edges, outgoing, incoming } = tables
  const list = findList(tables, findSource(tables, source), name)
  const targetNumber = nodes.findNumber(target)
  const edge = findEdge(tables, list, targetNumber)
  if (edge === 0) return
  outgoing.remove(list, edge)
  incoming.remove(targetNumber, edge)
  edges.remove(edge)
}

/** Deletes a node, if it exists, and its edges in both directions. Takes O(log n) for each edge. */
const deleteNode = (tables: GraphTables, id: string): void => {
  const { nodes, edges, nodeRows, outgoing, incoming } = tables
  const node = nodes.findNumber(id)
  if (node === 0) return
  for (let list = nodeRows.get(node, FIRST_LIST_COLUMN); list !== 0; ) list = deleteList(tables, list)
  for (const edge of incoming.edgesOf(node)) {
    outgoing.remove(edges.getCell(edge, LIST_COLUMN), edge)
    edges.remove(edge)
  }
  incoming.clear(node)
  nodeRows.clearRow(node)
  nodes.delete(id)
}

/** Deletes a list of a deleted node, with its edges. Returns the next list of the node. */
const deleteList = (
  { edges, listRows, listNumberAllocator, outgoing, incoming }: GraphTables,
  list: number,
): number => {
  for (const edge of outgoing.edgesOf(list)) {
    incoming.remove(edges.getCell(edge, TARGET_COLUMN), edge)
    edges.remove(edge)
  }
  outgoing.clear(list)
  const nextList = listRows.get(list, NEXT_LIST_COLUMN)
  listRows.clearRow(list)
  listNumberAllocator.release(list)
  return nextList
}

/** Adds a list after the other lists of the node, so that lists stay in the order of their creation. */
const createList = (
  { names, nodeRows, listRows, listNumberAllocator }: GraphTables,
  node: number,
  name: string,
): number => {
  const list = listNumberAllocator.allocate()
  listRows.set(list, NAME_COLUMN, names.intern(name))
  let lastList = 0
  for (
    let currentList = nodeRows.get(node, FIRST_LIST_COLUMN);
    currentList !== 0;
    currentList = listRows.get(currentList, NEXT_LIST_COLUMN)
  )
    lastList = currentList
  if (lastList === 0) nodeRows.set(node, FIRST_LIST_COLUMN, list)
  else listRows.set(lastList, NEXT_LIST_COLUMN, list)
  return list
}

/** Returns a frozen record with a patch, whose values are frozen already. */
const patchRecord = ({ id, type, fields }: NodeRecord, patch: JsonObject): NodeRecord =>
  Object.freeze({ id, type, fields: Object.freeze(mergeFields(fields, patch)) })

/** Applies any mutation except `putEdge`. */
const applyMutation = (tables: GraphTables, mutation: Exclude<StoreMutation, { op: 'putEdge' }>): void => {
  const { nodes, tokens, flags } = tables
  switch (mutation.op) {
    case 'putNode':
      nodes.put(mutation.node.id, mutation.node)
      break
    case 'patchNode': {
      const record = nodes.get(mutation.id)
      if (record !== undefined) nodes.put(mutation.id, patchRecord(record, mutation.fields))
      break
    }
    case 'deleteNode':
      deleteNode(tables, mutation.id)
      break
    case 'deleteEdge':
      deleteEdge(tables, mutation.edge)
      break
    case 'putToken':
      tokens.put(mutation.digest, mutation.token)
      break
    case 'deleteToken':
      tokens.delete(mutation.digest)
      break
    case 'putFlag':
      flags.set(mutation.flag.name, mutation.flag.value)
  }
}

const createStoredState = (tables: GraphTables): StoredState => ({
  nodeOf: id => tables.nodes.get(id)?.fields,
  edgeOf: ({ source, name, target }) => {
    const { nodes, edges } = tables
    const edge = findEdge(tables, findList(tables, nodes.findNumber(source), name), nodes.findNumber(target))
    return edge === 0 ? undefined : { time: edges.timeOf(edge), data: edges.dataOf(edge) ?? {} }
  },
})

/** Writes a batch: all of it, or nothing if `prepareBatch` throws. */
export const writeBatch = (tables: GraphTables, mutations: readonly StoreMutation[]): void => {
  const { nodes } = tables
  const batch = prepareBatch(nodes, resolveMutations(mutations, createStoredState(tables)))
  let prefetchedLists: readonly number[] = []
  batch.mutations.forEach((mutation, index) => {
    if (index % PREFETCH_COUNT === 0) prefetchedLists = prefetchLists(tables, batch, index)
    if (mutation.op !== 'putEdge') {
      applyMutation(tables, mutation)
      return
    }
    const { edge } = mutation
    const sourceNumber = batch.endpointNumbers[2 * index] || findSource(tables, edge.source)
    const targetNumber = batch.endpointNumbers[2 * index + 1] || nodes.findNumber(edge.target)
    putEdge(
      tables,
      prefetchedLists[index % PREFETCH_COUNT] || findOrCreateList(tables, sourceNumber, edge.name),
      targetNumber,
      edge,
    )
  })
}
