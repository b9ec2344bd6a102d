import type { EdgeTest, Wave, WaveAnswer } from '../../store/contract.ts'
import { findEdge, findList, type GraphTables } from './graph-tables.ts'
import { readRange } from './read-range.ts'

const NONE: readonly never[] = Object.freeze([])

const answerAll = <TAsked, TAnswer>(
  asked: readonly TAsked[],
  answer: (asked: TAsked) => TAnswer,
): readonly TAnswer[] => (asked.length === 0 ? NONE : asked.map(answer))

const hasEdge = (tables: GraphTables, { source, name, target }: EdgeTest): boolean => {
  const { nodes } = tables
  const list = findList(tables, nodes.find(source), name)
  return list !== 0 && findEdge(tables, list, nodes.find(target)) !== 0
}

/** Answers a wave from the tables of a store or of a snapshot. */
export const readWave = (tables: GraphTables, { nodes, ranges, tests, tokens }: Wave): WaveAnswer => ({
  nodes: answerAll(nodes, id => tables.nodes.get(id)),
  ranges: answerAll(ranges, range => readRange(tables, range)),
  tests: answerAll(tests, test => hasEdge(tables, test)),
  tokens: answerAll(tokens, digest => tables.tokens.get(digest)),
})
