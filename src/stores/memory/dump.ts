import type { EdgeRecord, NodeRecord } from '../../store/contract.ts'
import { isDerivedList } from '../../store/derived-entries.ts'
import { toDumpLine } from '../dump-lines.ts'
import { TARGET_COLUMN } from './edge-table.ts'
import { FIRST_LIST_COLUMN, type GraphTables, NAME_COLUMN, NEXT_LIST_COLUMN } from './graph-tables.ts'

function* iterateNodes({ nodes }: GraphTables): Generator<NodeRecord> {
  for (const nodeNumber of nodes.numbers()) {
    const node = nodes.getByNumber(nodeNumber)
    if (node !== undefined) yield node
  }
}

function* iterateEdges(tables: GraphTables): Generator<EdgeRecord> {
  const { nodes, names, edges, nodeRows, listRows, outgoing } = tables
  for (const nodeNumber of nodes.numbers()) {
    const source = nodes.getByNumber(nodeNumber)?.id ?? ''
    for (
      let list = nodeRows.get(nodeNumber, FIRST_LIST_COLUMN);
      list !== 0;
      list = listRows.get(list, NEXT_LIST_COLUMN)
    ) {
      const name = names.nameOf(listRows.get(list, NAME_COLUMN))
      if (isDerivedList({ source, name })) continue
      for (const edge of outgoing.edgesOf(list)) {
        const target = nodes.getByNumber(edges.getCell(edge, TARGET_COLUMN))?.id ?? ''
        yield { source, name, target, time: edges.timeOf(edge), data: edges.dataOf(edge) }
      }
    }
  }
}

/** Generates all nodes, then all edges, as lines of NDJSON. */
export function* dumpLines(tables: GraphTables): Generator<string> {
  for (const node of iterateNodes(tables)) yield toDumpLine({ node })
  for (const edge of iterateEdges(tables)) yield toDumpLine({ edge })
}
