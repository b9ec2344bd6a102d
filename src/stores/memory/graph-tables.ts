import type { NodeRecord, TokenRecord } from '../../store/contract.ts'
import { EdgeLists, LIST_COLUMNS } from './edge-lists.ts'
import { EdgeTable, LIST, NEXT_INCOMING, NEXT_OUTGOING, TARGET } from './edge-table.ts'
import type { Epochs } from './epochs.ts'
import { IdIndex } from './id-index.ts'
import { Names } from './names.ts'
import { Numbers } from './numbers.ts'
import { createRecordTable, type RecordTable } from './record-table.ts'
import { Rows } from './rows.ts'
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

export const createGraphTables = (epochs: Epochs): GraphTables => {
  const nodes = createRecordTable<NodeRecord>(epochs, new IdIndex())
  const edges = new EdgeTable(epochs)
  const nodeRows = new Rows(epochs, LIST_COLUMNS + 1)
  const listRows = new Rows(epochs, LIST_COLUMNS + 2)
  return {
    nodes,
    edges,
    nodeRows,
    listRows,
    listNumbers: new Numbers(),
    tokens: createRecordTable(epochs, new TextIndex()),
    names: new Names(),
    outgoing: new EdgeLists(epochs, {
      edges,
      rows: listRows,
      next: NEXT_OUTGOING,
      order: { keyOf: edge => edges.time(edge), idOf: edge => nodes.at(edges.get(edge, TARGET))?.id ?? '' },
      sortsChains: true,
    }),
    incoming: new EdgeLists(epochs, {
      edges,
      rows: nodeRows,
      next: NEXT_INCOMING,
      order: { keyOf: edge => edges.get(edge, LIST), idOf: () => '' },
      sortsChains: false,
    }),
  }
}

/** The tables as a snapshot just opened sees them; they are only read. */
export const forkGraphTables = (tables: GraphTables, epochs: Epochs): GraphTables => {
  const edges = tables.edges.fork(epochs)
  const nodeRows = tables.nodeRows.fork(epochs)
  const listRows = tables.listRows.fork(epochs)
  return {
    edges,
    nodeRows,
    listRows,
    nodes: tables.nodes.fork(epochs),
    tokens: tables.tokens.fork(epochs),
    names: tables.names,
    listNumbers: tables.listNumbers,
    outgoing: tables.outgoing.fork(epochs, edges, listRows),
    incoming: tables.incoming.fork(epochs, edges, nodeRows),
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
 * The edge of a list that leads to a node, 0 where there is none: sought in the list where that is short, else among
 * the target's incoming edges, of which those of one list are told apart by the source.
 */
export const findEdge = (
  { edges, outgoing, incoming }: GraphTables,
  list: number,
  target: number,
): number => {
  if (outgoing.isChain(list)) return outgoing.scan(list, TARGET, target)
  if (incoming.isChain(target)) return incoming.scan(target, LIST, list)
  const edge = incoming.seek(target, { key: list, id: '', reach: 0 })
  return edges.get(edge, LIST) === list ? edge : 0
}
