import { type Cut, isBefore, type SortOrder } from './sort-order.ts'

/** Places that are guessed before those left are halved, whatever the keys are. */
const GUESSES = 8

/** Sorted numbers from one place to another, and keys that theirs lie between. */
export type Stretch = {
  readonly numbers: Uint32Array
  readonly from: number
  readonly to: number
  readonly low: number
  readonly high: number
}

/** Where a key would stand if those of a stretch were spread evenly. */
const placeOf = (from: number, to: number, low: number, high: number, key: number): number => {
  const share = low < high ? Math.min(1, Math.max(0, (key - low) / (high - low))) : 0.5
  return Math.min(to - 1, from + Math.floor((to - from) * share))
}

/** The place that `seekNumber` looks at first. */
export const firstPlace = ({ from, to, low, high }: Stretch, key: number): number =>
  placeOf(from, to, low, high, key)

/**
 * The place of the first number of a stretch that is not before a cut, its end if all are. The key of each number lies
 * elsewhere in memory, so that places are guessed by the keys around them: among 500 keys spread as evenly as times
 * mostly are, four have to be fetched, where halving takes nine.
 */
export const seekNumber = (order: SortOrder, stretch: Stretch, cut: Cut): number => {
  const { numbers } = stretch
  let { from, to, low, high } = stretch
  for (let guesses = GUESSES; from < to; guesses--) {
    const place = guesses > 0 ? placeOf(from, to, low, high, cut.key) : (from + to) >>> 1
    const number = numbers[place] ?? 0
    if (isBefore(order, number, cut)) {
      from = place + 1
      low = order.keyOf(number)
    } else {
      to = place
      high = order.keyOf(number)
    }
  }
  return from
}
