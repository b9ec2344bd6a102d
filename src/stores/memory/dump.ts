import type { EdgeRecord, NodeRecord } from '../../store/contract.ts'
import { dumpLine } from '../dump/dump-line.ts'
import { TARGET } from './edge-table.ts'
import { FIRST_LIST, type GraphTables, NAME, NEXT_LIST } from './graph-tables.ts'

function* nodeRecords({ nodes }: GraphTables): Generator<NodeRecord> {
  for (const number of nodes.numbers()) {
    const node = nodes.at(number)
    if (node !== undefined) yield node
  }
}

function* edgeRecords(tables: GraphTables): Generator<EdgeRecord> {
  const { nodes, names, edges, nodeRows, listRows, outgoing } = tables
  for (const number of nodes.numbers()) {
    const source = nodes.at(number)?.id ?? ''
    for (let list = nodeRows.get(number, FIRST_LIST); list !== 0; list = listRows.get(list, NEXT_LIST)) {
      const name = names.text(listRows.get(list, NAME))
      for (const edge of outgoing.edges(list)) {
        const target = nodes.at(edges.get(edge, TARGET))?.id ?? ''
        yield { source, name, target, time: edges.time(edge), data: edges.data(edge) }
      }
    }
  }
}

/** All nodes, then all edges, as lines of NDJSON. */
export function* dumpLines(tables: GraphTables): Generator<string> {
  for (const node of nodeRecords(tables)) yield dumpLine({ node })
  for (const edge of edgeRecords(tables)) yield dumpLine({ edge })
}
