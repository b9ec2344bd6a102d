import type { NodeId } from '../../base/ids.ts'
import type { NodeRecord, TokenRecord } from '../../store/contract.ts'
import { ROOT_ID } from '../../store/derived-entries.ts'
import { type EdgeListLayout, RESERVED_COLUMN_COUNT } from './edge-list-layout.ts'
import { EdgeLists } from './edge-lists.ts'
import {
  EdgeNameTable,
  EdgeTable,
  LIST_COLUMN,
  NEXT_INCOMING_COLUMN,
  NEXT_OUTGOING_COLUMN,
  TARGET_COLUMN,
} from './edge-table.ts'
import { NodeIndex } from './node-index.ts'
import { type Epochs, NumberAllocator, toBit, Uint32Table } from './paged-tables.ts'
import { createRecordTable, type RecordTable, TextIndex } from './record-table.ts'

/** The column of `nodeRows` with the first list of outgoing edges of a node. */
export const FIRST_LIST_COLUMN = RESERVED_COLUMN_COUNT

/**
 * The columns of `listRows` after the reserved ones: the name of the list, and the next list of the same
 * source.
 */
export const NAME_COLUMN = RESERVED_COLUMN_COUNT
export const NEXT_LIST_COLUMN = RESERVED_COLUMN_COUNT + 1

/** The content of a store or of a snapshot. */
export type GraphTables = {
  readonly nodes: RecordTable<NodeRecord>
  readonly tokens: RecordTable<TokenRecord>
  readonly names: EdgeNameTable
  readonly edges: EdgeTable
  /** A row for each node: its incoming edges, and the first of its outgoing lists. */
  readonly nodeRows: Uint32Table
  /** A row for each (source, name): its edges, its name and the next list of the same source. */
  readonly listRows: Uint32Table
  readonly listNumberAllocator: NumberAllocator
  /** The edges of each list, sorted by position. */
  readonly outgoing: EdgeLists
  /** The incoming edges of each node, sorted by the number of their list. */
  readonly incoming: EdgeLists
  /** The number of the source of collections, which is not a node. */
  readonly rootNumber: number
  /** The values of the completion flags by name. */
  readonly flags: Map<string, string>
}

/** The tables that the layouts of edge lists refer to. */
type LayoutTables = Pick<GraphTables, 'nodes' | 'edges' | 'nodeRows' | 'listRows'>

const createOutgoingLayout = ({ nodes, edges, listRows }: LayoutTables): EdgeListLayout => ({
  edges,
  rows: listRows,
  keyColumn: TARGET_COLUMN,
  nextColumn: NEXT_OUTGOING_COLUMN,
  order: {
    keyOf: edge => edges.timeOf(edge),
    idOf: edge => nodes.getByNumber(edges.getCell(edge, TARGET_COLUMN))?.id ?? '',
  },
  hasSortedChains: true,
})

const createIncomingLayout = ({ edges, nodeRows }: LayoutTables): EdgeListLayout => ({
  edges,
  rows: nodeRows,
  keyColumn: LIST_COLUMN,
  nextColumn: NEXT_INCOMING_COLUMN,
  order: { keyOf: edge => edges.getCell(edge, LIST_COLUMN), idOf: () => '' },
  hasSortedChains: false,
})

export const createGraphTables = (epochs: Epochs): GraphTables => {
  const layoutTables = {
    nodes: createRecordTable<NodeRecord>(epochs, new NodeIndex()),
    edges: new EdgeTable(epochs),
    nodeRows: new Uint32Table(epochs, RESERVED_COLUMN_COUNT + 1),
    listRows: new Uint32Table(epochs, RESERVED_COLUMN_COUNT + 2),
  }
  return {
    ...layoutTables,
    rootNumber: layoutTables.nodes.reserveNumber(),
    flags: new Map(),
    tokens: createRecordTable(epochs, new TextIndex()),
    names: new EdgeNameTable(),
    listNumberAllocator: new NumberAllocator(),
    outgoing: new EdgeLists(epochs, createOutgoingLayout(layoutTables)),
    incoming: new EdgeLists(epochs, createIncomingLayout(layoutTables)),
  }
}

/** Returns the tables in their current state, for a new snapshot, which only reads them. */
export const forkGraphTables = (tables: GraphTables, epochs: Epochs): GraphTables => {
  const layoutTables = {
    nodes: tables.nodes.fork(epochs),
    edges: tables.edges.fork(epochs),
    nodeRows: tables.nodeRows.fork(epochs),
    listRows: tables.listRows.fork(epochs),
  }
  return {
    ...layoutTables,
    rootNumber: tables.rootNumber,
    flags: new Map(tables.flags),
    tokens: tables.tokens.fork(epochs),
    names: tables.names,
    listNumberAllocator: tables.listNumberAllocator,
    outgoing: tables.outgoing.fork(epochs, createOutgoingLayout(layoutTables)),
    incoming: tables.incoming.fork(epochs, createIncomingLayout(layoutTables)),
  }
}

/** Returns the number of a source of edges, or 0 if it does not exist. */
export const findSource = ({ nodes, rootNumber }: GraphTables, id: NodeId): number =>
  id === ROOT_ID ? rootNumber : nodes.findNumber(id)

/** Returns the list of a node's edges with the given name, or 0 if there is none. */
export const findList = ({ names, nodeRows, listRows }: GraphTables, node: number, name: string): number => {
  const nameNumber = names.findNumber(name)
  if (nameNumber === 0) return 0
  let list = nodeRows.get(node, FIRST_LIST_COLUMN)
  while (list !== 0 && listRows.get(list, NAME_COLUMN) !== nameNumber)
    list = listRows.get(list, NEXT_LIST_COLUMN)
  return list
}

/**
 * Returns the lists of many nodes, by position, or 0 for a node without the list. `nameNumbers` contains the
 * number of an edge name for each node. All lookups advance together, so that the processor can wait for many
 * rows at once.
 */
export const findLists = (
  { nodeRows, listRows }: GraphTables,
  nodeNumbers: readonly number[],
  nameNumbers: readonly number[],
): number[] => {
  const lists = nodeNumbers.map(node => nodeRows.get(node, FIRST_LIST_COLUMN))
  for (let allChangeBits = 1; allChangeBits !== 0; ) {
    allChangeBits = 0
    for (let index = 0; index < lists.length; index++) {
      const list = lists[index] ?? 0
      const otherNameBit = toBit(listRows.get(list, NAME_COLUMN) ^ (nameNumbers[index] ?? 0))
      const changeBits = (list ^ listRows.get(list, NEXT_LIST_COLUMN)) & -otherNameBit
      lists[index] = list ^ changeBits
      allChangeBits |= changeBits
    }
  }
  return lists
}

/**
 * Returns the edge of a list to a target, or 0 if there is none. If the list is not a chain, searches the
 * incoming edges of the target instead.
 */
export const findEdge = (
  { edges, outgoing, incoming }: GraphTables,
  list: number,
  target: number,
): number => {
  if (!outgoing.mayContain(list, target) || !incoming.mayContain(target, list)) return 0
  if (outgoing.isChain(list)) return outgoing.findInChain(list, target)
  if (incoming.isChain(target)) return incoming.findInChain(target, list)
  const edge = incoming.seekInBlocks(target, { key: list, id: '', ids: 'below' })
  return edges.getCell(edge, LIST_COLUMN) === list ? edge : 0
}
