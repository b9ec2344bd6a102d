import type { StoreReadRequest, StoreReadResult } from '../../store/contract.ts'
import type { GraphTables } from './graph-tables.ts'
import { readChecks } from './read-checks.ts'
import { readRanges } from './read-range.ts'

const NO_RESULTS: readonly never[] = Object.freeze([])

/** Executes a read request on the tables of a store or a snapshot. */
export const executeRead = (
  tables: GraphTables,
  { nodes, ranges, checks, tokens }: StoreReadRequest,
): StoreReadResult => ({
  nodes: nodes.length === 0 ? NO_RESULTS : tables.nodes.getAll(nodes),
  ranges: ranges.length === 0 ? NO_RESULTS : readRanges(tables, ranges),
  checks: checks.length === 0 ? NO_RESULTS : readChecks(tables, checks),
  tokens: tokens.length === 0 ? NO_RESULTS : tokens.map(digest => tables.tokens.get(digest)),
})
