import type { EdgeRecord, EdgeTest } from '../../store/contract.ts'
import { LIST, TARGET } from './edge-table.ts'
import { FIRST_LIST, findEdge, findList, type GraphTables, NAME, NEXT_LIST } from './graph-tables.ts'

/** The list of a node's edges of a name, a new one where it has none. */
export const openList = (tables: GraphTables, source: number, name: string): number =>
  findList(tables, source, name) || createList(tables, source, name)

/** Writes an edge of a list to a node, given by its number. One that is there already gets the new time and data. */
export const putEdge = (
  tables: GraphTables,
  list: number,
  target: number,
  { time, data }: Pick<EdgeRecord, 'time' | 'data'>,
): void => {
  const { edges, outgoing, incoming } = tables
  const found = findEdge(tables, list, target)
  const edge = found === 0 ? edges.add(list, target, time) : found
  edges.setData(edge, data)
  if (found === 0) incoming.insert(target, edge)
  else if (edges.time(edge) === time) return
  else {
    outgoing.remove(list, edge)
    edges.setTime(edge, time)
  }
  outgoing.insert(list, edge)
}

/** Deletes an edge, if it is there. */
export const deleteEdge = (tables: GraphTables, { source, name, target }: EdgeTest): void => {
  const { nodes, edges, outgoing, incoming } = tables
  const list = findList(tables, nodes.find(source), name)
  const targetNumber = nodes.find(target)
  const edge = findEdge(tables, list, targetNumber)
  if (edge === 0) return
  outgoing.remove(list, edge)
  incoming.remove(targetNumber, edge)
  edges.remove(edge)
}

/** Deletes a node, if it is there, and its edges in both directions: O(log n) for each of them. */
export const deleteNode = (tables: GraphTables, id: string): void => {
  const { nodes, edges, nodeRows, outgoing, incoming } = tables
  const node = nodes.find(id)
  if (node === 0) return
  for (let list = nodeRows.get(node, FIRST_LIST); list !== 0; ) list = deleteList(tables, list)
  for (const edge of incoming.edges(node)) {
    outgoing.remove(edges.get(edge, LIST), edge)
    edges.remove(edge)
  }
  incoming.drop(node)
  nodeRows.clear(node)
  nodes.delete(id)
}

/** Deletes a list of a node that goes, with its edges; answers the next list. */
const deleteList = (
  { edges, listRows, listNumbers, outgoing, incoming }: GraphTables,
  list: number,
): number => {
  for (const edge of outgoing.edges(list)) {
    incoming.remove(edges.get(edge, TARGET), edge)
    edges.remove(edge)
  }
  outgoing.drop(list)
  const next = listRows.get(list, NEXT_LIST)
  listRows.clear(list)
  listNumbers.release(list)
  return next
}

/** Adds a list behind those that the node has, so that they stay in the order in which they came. */
const createList = (
  { names, nodeRows, listRows, listNumbers }: GraphTables,
  node: number,
  name: string,
): number => {
  const list = listNumbers.take()
  listRows.set(list, NAME, names.intern(name))
  let last = 0
  for (let other = nodeRows.get(node, FIRST_LIST); other !== 0; other = listRows.get(other, NEXT_LIST))
    last = other
  if (last === 0) nodeRows.set(node, FIRST_LIST, list)
  else listRows.set(last, NEXT_LIST, list)
  return list
}
