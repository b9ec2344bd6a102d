import fc, { type IAsyncProperty, type Parameters } from 'fast-check'
import { expect } from 'vitest'

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

const MAX_ROUNDS = 20

/**
 * Asserts a property whose runs must reach the cases that the test is about. Runs that happen not to reach them
 * are followed by rounds of further seeds, because a test that depends on luck would fail now and then.
 */
export const assertReaching = async <T>(
  property: IAsyncProperty<T>,
  settings: Parameters<T>,
  isReached: () => boolean,
): Promise<void> => {
  for (let round = 0; round < MAX_ROUNDS && (round === 0 || !isReached()); round++)
    await fc.assert(property, { ...settings, seed: seed + round })
  expect(isReached(), 'the runs reached the cases that the test is about').toBe(true)
}
