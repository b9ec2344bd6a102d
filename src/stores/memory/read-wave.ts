import type { Wave, WaveAnswer } from '../../store/contract.ts'
import type { GraphTables } from './graph-tables.ts'
import { readRange } from './read-range.ts'
import { readTests } from './read-tests.ts'

const NONE: readonly never[] = Object.freeze([])

const answerAll = <TAsked, TAnswer>(
  asked: readonly TAsked[],
  answer: (asked: TAsked) => TAnswer,
): readonly TAnswer[] => (asked.length === 0 ? NONE : asked.map(answer))

/** Answers a wave from the tables of a store or of a snapshot. */
export const readWave = (tables: GraphTables, { nodes, ranges, tests, tokens }: Wave): WaveAnswer => ({
  nodes: answerAll(nodes, id => tables.nodes.get(id)),
  ranges: answerAll(ranges, range => readRange(tables, range)),
  tests: tests.length === 0 ? NONE : readTests(tables, tests),
  tokens: answerAll(tokens, digest => tables.tokens.get(digest)),
})
