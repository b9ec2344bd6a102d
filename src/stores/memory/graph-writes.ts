import type { EdgeKey, EdgeRecord } from '../../store/contract.ts'
import { LIST_COLUMN, TARGET_COLUMN } from './edge-table.ts'
import {
  FIRST_LIST_COLUMN,
  findEdge,
  findList,
  type GraphTables,
  NAME_COLUMN,
  NEXT_LIST_COLUMN,
} from './graph-tables.ts'

/** Returns the list of a node's edges with a name, a new one if there is none. */
export const findOrCreateList = (tables: GraphTables, source: number, name: string): number =>
  findList(tables, source, name) || createList(tables, source, name)

/** Writes an edge of a list to a node, given by its number. An existing edge gets the new time and data. */
export const putEdge = (
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
export const deleteEdge = (tables: GraphTables, { source, name, target }: EdgeKey): void => {
  const { nodes, edges, outgoing, incoming } = tables
  const list = findList(tables, nodes.findNumber(source), name)
  const targetNumber = nodes.findNumber(target)
  const edge = findEdge(tables, list, targetNumber)
  if (edge === 0) return
  outgoing.remove(list, edge)
  incoming.remove(targetNumber, edge)
  edges.remove(edge)
}

/** Deletes a node, if it exists, and its edges in both directions: O(log n) for each of them. */
export const deleteNode = (tables: GraphTables, id: string): void => {
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

/** Deletes a list of a deleted node, with its edges; returns the next list. */
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

/** Adds a list after those of the node, so that lists stay in the order of their creation. */
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
