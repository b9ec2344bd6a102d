import type { NodeRecord, TokenRecord } from '../../store/contract.ts'
import { type EdgeListKind, EdgeLists, LIST_COLUMNS } from './edge-lists.ts'
import { EdgeTable, LIST, NEXT_INCOMING, NEXT_OUTGOING, TARGET } from './edge-table.ts'
import type { Epochs } from './epochs.ts'
import { IdIndex } from './id-index.ts'
import { Names } from './names.ts'
import { Numbers } from './numbers.ts'
import { createRecordTable, type RecordTable } from './record-table.ts'
import { Rows } from './rows.ts'
import { signOf } from './sign-of.ts'
import { TextIndex } from './text-index.ts'

/** Columns of a row of `nodes`, behind those of its incoming edges. */
export const FIRST_LIST = LIST_COLUMNS

/** Columns of a row of `lists`, behind those of its outgoing edges. */
export const NAME = LIST_COLUMNS
export const NEXT_LIST = LIST_COLUMNS + 1

/** What a store holds, or what a snapshot sees of it. */
export type GraphTables = {
  readonly nodes: RecordTable<NodeRecord>
  readonly tokens: RecordTable<TokenRecord>
  readonly names: Names
  readonly edges: EdgeTable
  /** A row for each node: its incoming edges and the first of its lists. */
  readonly nodeRows: Rows
  /** A row for each (source, name): its edges, its name and the next list of the same source. */
  readonly listRows: Rows
  readonly listNumbers: Numbers
  /** By list, in the order of positions. */
  readonly outgoing: EdgeLists
  /** By target, in the order of lists. */
  readonly incoming: EdgeLists
}

type Records = Pick<GraphTables, 'nodes' | 'edges' | 'nodeRows' | 'listRows'>

const outgoingOf = ({ nodes, edges, listRows }: Records): EdgeListKind => ({
  edges,
  rows: listRows,
  key: TARGET,
  next: NEXT_OUTGOING,
  order: { keyOf: edge => edges.time(edge), idOf: edge => nodes.at(edges.get(edge, TARGET))?.id ?? '' },
  sortsChains: true,
})

const incomingOf = ({ edges, nodeRows }: Records): EdgeListKind => ({
  edges,
  rows: nodeRows,
  key: LIST,
  next: NEXT_INCOMING,
  order: { keyOf: edge => edges.get(edge, LIST), idOf: () => '' },
  sortsChains: false,
})

export const createGraphTables = (epochs: Epochs): GraphTables => {
  const records = {
    nodes: createRecordTable<NodeRecord>(epochs, new IdIndex()),
    edges: new EdgeTable(epochs),
    nodeRows: new Rows(epochs, LIST_COLUMNS + 1),
    listRows: new Rows(epochs, LIST_COLUMNS + 2),
  }
  return {
    ...records,
    tokens: createRecordTable(epochs, new TextIndex()),
    names: new Names(),
    listNumbers: new Numbers(),
    outgoing: new EdgeLists(epochs, outgoingOf(records)),
    incoming: new EdgeLists(epochs, incomingOf(records)),
  }
}

/** The tables as a snapshot just opened sees them; they are only read. */
export const forkGraphTables = (tables: GraphTables, epochs: Epochs): GraphTables => {
  const records = {
    nodes: tables.nodes.fork(epochs),
    edges: tables.edges.fork(epochs),
    nodeRows: tables.nodeRows.fork(epochs),
    listRows: tables.listRows.fork(epochs),
  }
  return {
    ...records,
    tokens: tables.tokens.fork(epochs),
    names: tables.names,
    listNumbers: tables.listNumbers,
    outgoing: tables.outgoing.fork(epochs, outgoingOf(records)),
    incoming: tables.incoming.fork(epochs, incomingOf(records)),
  }
}

/** The list of a node's edges of a name, 0 where it has none. */
export const findList = ({ names, nodeRows, listRows }: GraphTables, node: number, name: string): number => {
  const wanted = names.find(name)
  if (wanted === 0) return 0
  let list = nodeRows.get(node, FIRST_LIST)
  while (list !== 0 && listRows.get(list, NAME) !== wanted) list = listRows.get(list, NEXT_LIST)
  return list
}

/**
 * The lists of many nodes' edges, of a name each, given by its number: 0 where there is none. All are looked for in step,
 * so that the processor waits for many rows at once.
 */
export const findLists = (
  { nodeRows, listRows }: GraphTables,
  nodes: readonly number[],
  names: readonly number[],
): number[] => {
  const lists = nodes.map(node => nodeRows.get(node, FIRST_LIST))
  for (let changed = 1; changed !== 0; ) {
    changed = 0
    for (let index = 0; index < lists.length; index++) {
      const list = lists[index] ?? 0
      const isOther = signOf(listRows.get(list, NAME) ^ (names[index] ?? 0))
      const change = (list ^ listRows.get(list, NEXT_LIST)) & -isOther
      lists[index] = list ^ change
      changed |= change
    }
  }
  return lists
}

/**
 * The edge of a list that leads to a node, 0 where there is none: sought in the list where that is short, else among
 * the target's incoming edges, of which those of one list are told apart by the source.
 */
export const findEdge = (
  { edges, outgoing, incoming }: GraphTables,
  list: number,
  target: number,
): number => {
  if (!outgoing.mayHave(list, target) || !incoming.mayHave(target, list)) return 0
  if (outgoing.isChain(list)) return outgoing.scan(list, target)
  if (incoming.isChain(target)) return incoming.scan(target, list)
  const edge = incoming.seek(target, { key: list, id: '', reach: 0 })
  return edges.get(edge, LIST) === list ? edge : 0
}
