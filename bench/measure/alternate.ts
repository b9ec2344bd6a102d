import { setImmediate } from 'node:timers/promises'
import { Bench } from 'tinybench'
import type { Contender } from '../contenders/contender.ts'
import { type Clock, workDone } from './work-done.ts'

/** Microseconds per call, one figure per round. */
export type Timing = readonly number[]

const ROUNDS = 80
const WARM_UP_ROUNDS = 20
/** Milliseconds. */
const SLICE = 8

/** A contender, and how many of its calls fill a slice. */
class Runner {
  readonly name: string
  readonly #contender: Contender
  readonly #clock: Clock
  #calls = 1
  #turn = 0

  constructor(contender: Contender, clock: Clock) {
    this.name = contender.name
    this.#contender = contender
    this.#clock = clock
  }

  async slice(): Promise<void> {
    for (let left = this.#calls; left > 0; left--) await this.#contender.call(this.#turn++)
  }

  async calibrate(): Promise<void> {
    for (let spent = 0; spent < SLICE; ) {
      const started = this.#clock()
      await this.slice()
      spent = this.#clock() - started
      if (spent < SLICE) this.#calls = Math.ceil(this.#calls * Math.min(10, Math.max(1.2, SLICE / spent)))
    }
  }

  perCall(milliseconds: number): number {
    return (milliseconds * 1000) / this.#calls
  }
}

/**
 * Measures contenders in turn. Each round runs every contender for a short slice, so that other load of the
 * machine affects all of them equally, and ratios can be computed within a round. The first rounds warm up
 * and do not count.
 */
export const alternate = async (
  contenders: readonly Contender[],
  clock: Clock = workDone,
): Promise<Timing[]> => {
  const runners = contenders.map(contender => new Runner(contender, clock))
  const bench = new Bench({ now: clock, time: 0, iterations: 1, warmup: false, throws: true })
  for (const runner of runners) bench.add(runner.name, () => runner.slice(), { async: true })
  const rounds: number[][] = []
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    if (round === -WARM_UP_ROUNDS || round === 0) for (const runner of runners) await runner.calibrate()
    // Without this turn, synchronous contenders would block the signal that stops the run.
    await setImmediate()
    bench.reset()
    const spent = (await bench.run()).map(({ result }) =>
      result.state === 'completed' ? result.totalTime : Number.NaN,
    )
    if (round >= 0) rounds.push(spent)
  }
  return runners.map((runner, index) => rounds.map(spent => runner.perCall(spent[index] ?? Number.NaN)))
}
