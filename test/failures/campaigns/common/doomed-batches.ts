import { createHotBatch, type HotBatch } from './hot-batches.ts'
import { createRandom } from './random.ts'

const PEOPLE_COUNT = 20

/** The nodes that a killed writer of Redis writes. */
export const DOOMED_IDS: readonly [string, ...string[]] = [
  '1',
  ...Array.from({ length: PEOPLE_COUNT - 1 }, (_, index) => `${index + 2}`),
]

/** A line that a killed writer has printed. */
export type DoomedReport = {
  readonly number: number
  readonly event: 'begin' | 'end'
  readonly clock: number
}

/** Creates the batch of that number. */
export const createDoomedBatch = (seed: number, number: number): HotBatch =>
  createHotBatch(createRandom(seed, number), DOOMED_IDS, number, 'none')
