import type { StoreReadRequest } from './contract.ts'

/** An empty read request, as the base of others: `{ ...EMPTY_REQUEST, tokens }`. */
export const EMPTY_REQUEST: StoreReadRequest = Object.freeze({
  nodes: [],
  ranges: [],
  checks: [],
  tokens: [],
})

/** Whether a request is empty, so that the store need not be called. */
export const isEmptyRequest = ({ nodes, ranges, checks, tokens }: StoreReadRequest): boolean =>
  nodes.length + ranges.length + checks.length + tokens.length === 0

// Each request is one literal, since spreading takes several times as long.
const { ranges: NO_RANGES, nodes: NO_NODES, checks: NO_CHECKS, tokens: NO_TOKENS } = EMPTY_REQUEST

/** Creates a request that reads only nodes. */
export const nodesRequest = (nodes: StoreReadRequest['nodes']): StoreReadRequest => ({
  nodes,
  ranges: NO_RANGES,
  checks: NO_CHECKS,
  tokens: NO_TOKENS,
})

/** Creates a request that reads only ranges. */
export const rangesRequest = (ranges: StoreReadRequest['ranges']): StoreReadRequest => ({
  nodes: NO_NODES,
  ranges,
  checks: NO_CHECKS,
  tokens: NO_TOKENS,
})

/** Creates a request that reads only checks. */
export const checksRequest = (checks: StoreReadRequest['checks']): StoreReadRequest => ({
  nodes: NO_NODES,
  ranges: NO_RANGES,
  checks,
  tokens: NO_TOKENS,
})
