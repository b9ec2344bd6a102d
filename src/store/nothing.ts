import type { Wave } from './contract.ts'

/** A wave that asks nothing, for asking one thing: `{ ...NOTHING, nodes }`. */
export const NOTHING: Wave = Object.freeze({ nodes: [], ranges: [], tests: [], tokens: [] })
