import type { Wave } from './contract.ts'

/** A wave that asks nothing, for asking one thing: `{ ...NOTHING, nodes }`. */
export const NOTHING: Wave = Object.freeze({ nodes: [], ranges: [], tests: [], tokens: [] })

/** Whether a wave asks for nothing, so that no store need be asked. */
export const isNothing = ({ nodes, ranges, tests, tokens }: Wave): boolean =>
  nodes.length + ranges.length + tests.length + tokens.length === 0
