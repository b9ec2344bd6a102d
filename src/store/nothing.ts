import type { Wave } from './contract.ts'

/** A wave that asks nothing, for asking one thing: `{ ...NOTHING, tokens }`. */
export const NOTHING: Wave = Object.freeze({ nodes: [], ranges: [], tests: [], tokens: [] })

/** Whether a wave asks for nothing, so that no store need be asked. */
export const isNothing = ({ nodes, ranges, tests, tokens }: Wave): boolean =>
  nodes.length + ranges.length + tests.length + tokens.length === 0

// What each call asks is one literal: to spread takes several times as long.
const { ranges: NO_RANGES, nodes: NO_NODES, tests: NO_TESTS, tokens: NO_TOKENS } = NOTHING

export const askNodes = (nodes: Wave['nodes']): Wave => ({
  nodes,
  ranges: NO_RANGES,
  tests: NO_TESTS,
  tokens: NO_TOKENS,
})

export const askRanges = (ranges: Wave['ranges']): Wave => ({
  nodes: NO_NODES,
  ranges,
  tests: NO_TESTS,
  tokens: NO_TOKENS,
})

export const askTests = (tests: Wave['tests']): Wave => ({
  nodes: NO_NODES,
  ranges: NO_RANGES,
  tests,
  tokens: NO_TOKENS,
})
