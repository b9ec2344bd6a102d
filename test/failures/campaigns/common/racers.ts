import { type BranchCounts, createBranchCounts } from './branch-counter.ts'
import { startChild } from './child.ts'
import type { RaceReport } from './race-writes.ts'
import type { RedisServers } from './redis-servers.ts'

/** Processes that race. */
export type Racers = {
  /** Lets all processes write at the same time. */
  run(round: number): Promise<readonly RaceReport[]>
  sumCounts(reports: readonly RaceReport[]): BranchCounts
  stop(): void
}

const startRacer = (program: string, args: readonly string[]) => {
  let report: (report: RaceReport) => void = () => undefined
  const child = startChild(program, args, line => report(JSON.parse(line)))
  const failure = child.ended.then(code => Promise.reject(new Error(`a racer ended with code ${code}`)))
  failure.catch(() => undefined)
  const run = (round: number): Promise<RaceReport> => {
    const received = new Promise<RaceReport>(resolve => {
      report = resolve
    })
    child.send(`${round}`)
    return Promise.race([received, failure])
  }
  return { run, stop: child.kill }
}

/** Starts racers on the same servers. */
export const startRacers = (
  program: string,
  { ports, isCluster }: RedisServers,
  seed: number,
  count: number,
): Racers => {
  const racers = Array.from({ length: count }, (_, racer) =>
    startRacer(program, [ports.join(), `${isCluster}`, `${seed}`, `${racer}`]),
  )
  return {
    run: round => Promise.all(racers.map(racer => racer.run(round))),
    sumCounts: reports => {
      const sum = createBranchCounts()
      for (const { counts } of reports) {
        sum.newerSecondSide += counts.newerSecondSide
        sum.rewriteAbove += counts.rewriteAbove
        sum.replacedFirstSide += counts.replacedFirstSide
      }
      return sum
    },
    stop: () => {
      for (const racer of racers) racer.stop()
    },
  }
}
