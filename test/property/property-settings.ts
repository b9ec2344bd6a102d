import type { Parameters } from 'fast-check'

const seed = Number(process.env.KITHGRAPH_SEED ?? Date.now() % 2 ** 31)

// fast-check prints the seed only for a failed property. This line prints it also for a run with a timeout.
console.info(`KITHGRAPH_SEED=${seed}`)

/**
 * Returns the settings of a property: `runs` runs, or `long` with KITHGRAPH_LONG, and the seed of
 * KITHGRAPH_SEED.
 */
export const propertySettings = <T>(runs = 100, long = runs * 10): Parameters<T> => ({
  seed,
  numRuns: process.env.KITHGRAPH_LONG ? long : runs,
})
