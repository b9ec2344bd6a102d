import type { Contender } from '../contenders/contender.ts'
import { alternate } from './alternate.ts'
import type { Opponent } from './compare.ts'
import type { Finding } from './finding.ts'
import { spreadOf } from './statistics.ts'
import { timePassed } from './work-done.ts'

/** The calls that each client makes, one after another, before the round of a contender ends. */
const CALLS_PER_CLIENT = 4
const MICROSECONDS_PER_SECOND = 1_000_000

/** Returns a contender whose call is made by several clients at once. */
const withClients = ({ name, call }: Contender, clients: number): Contender => ({
  name,
  async call(turn) {
    const callAsClient = async (client: number): Promise<void> => {
      for (let index = 0; index < CALLS_PER_CLIENT; index++)
        await call((turn * CALLS_PER_CLIENT + index) * clients + client)
    }
    await Promise.all(Array.from({ length: clients }, (_, client) => callAsClient(client)))
  },
})

/**
 * Measures the calls per second of our implementation and of another one, with several clients that call at once,
 * in turn.
 */
export const compareThroughput = async (
  ours: Contender,
  opponent: Opponent,
  clients: number,
): Promise<Finding[]> => {
  const [mine = [], theirs = []] = await alternate(
    [withClients(ours, clients), withClients(opponent, clients)],
    timePassed,
  )
  const line = ({ name }: Contender, timing: readonly number[]) => ({
    label: `${name}, ${clients} clients`,
    figure: spreadOf(timing.map(time => (MICROSECONDS_PER_SECOND * CALLS_PER_CLIENT * clients) / time)),
    unit: '/s',
  })
  const ratios = theirs.map((time, round) => time / (mine[round] ?? Number.NaN))
  return [
    line(ours, mine),
    {
      ...line(opponent, theirs),
      ratio: { spread: spreadOf(ratios), of: 'as fast' },
      bar: opponent.bar,
    },
  ]
}
