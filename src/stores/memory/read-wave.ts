import type { Wave, WaveAnswer } from '../../store/contract.ts'
import type { GraphTables } from './graph-tables.ts'
import { readRanges } from './read-range.ts'
import { readTests } from './read-tests.ts'

const NONE: readonly never[] = Object.freeze([])

/** Answers a wave from the tables of a store or of a snapshot. */
export const readWave = (tables: GraphTables, { nodes, ranges, tests, tokens }: Wave): WaveAnswer => ({
  nodes: nodes.length === 0 ? NONE : tables.nodes.getAll(nodes),
  ranges: ranges.length === 0 ? NONE : readRanges(tables, ranges),
  tests: tests.length === 0 ? NONE : readTests(tables, tests),
  tokens: tokens.length === 0 ? NONE : tokens.map(digest => tables.tokens.get(digest)),
})
