import type { Parameters } from 'fast-check'

const seed = Number(process.env.KITHGRAPH_SEED ?? Date.now() % 2 ** 31)

// Once per file: fast-check prints the seed of a failure, this is for the runs that a time-out cut short.
console.info(`KITHGRAPH_SEED=${seed}`)

/** How a property is tried: `runs` times, `long` times with KITHGRAPH_LONG, from the seed of KITHGRAPH_SEED. */
export const settings = <T>(runs = 100, long = runs * 10): Parameters<T> => ({
  seed,
  numRuns: process.env.KITHGRAPH_LONG ? long : runs,
})
