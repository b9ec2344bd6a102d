import { createGraph } from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { type Body, createWorstBodies } from '../data/worst-bodies.ts'
import type { Bar, Finding } from '../measure/finding.ts'
import { quantile, spreadOf } from '../measure/statistics.ts'
import type { Row } from './row.ts'

const RUNS = 100
const WARM_UPS = 5
/** Milliseconds. */
const BAR: Bar = { max: 25 }
const TURNS = 10_000_000

/**
 * Runs a loop whose time shows the speed of the machine, so that you can compare the results of two machines.
 */
const turnReferenceLoop = (): number => {
  let sum = 0
  for (let turn = 0; turn < TURNS; turn++) sum = (Math.imul(sum, 31) + turn) | 0
  return sum
}

const measureTimes = async (run: () => unknown): Promise<number[]> => {
  const times: number[] = []
  for (let time = -WARM_UPS; time < RUNS; time++) {
    const start = performance.now()
    await run()
    if (time >= 0) times.push(performance.now() - start)
  }
  return times
}

/** Creates a finding for the median, and one for the 99th percentile. */
const createFindings = (label: string, times: readonly number[], bar: Bar | undefined): Finding[] => {
  const p99 = quantile(times, 0.99)
  return [
    { label, figure: spreadOf(times), unit: 'ms' },
    { label: `${label}, p99`, figure: { median: p99, low: p99, high: p99 }, unit: 'ms', bar },
  ]
}

export const createRequestBodiesRow = (): Row => ({
  name: 'request-bodies',
  title:
    'the time to reject invalid requests of 1 MiB without a token, and to run a loop of ten million turns',
  async measure() {
    const { respond } = createHandler(createGraph(createMemoryStore()))
    const encoder = new TextEncoder()
    const send = ({ type, text }: Body): (() => unknown) => {
      const body = encoder.encode(text)
      return () => respond({ method: 'POST', url: '/', headers: { 'content-type': type }, body })
    }
    const findings = createFindings('reference loop', await measureTimes(turnReferenceLoop), undefined)
    for (const body of createWorstBodies())
      findings.push(...createFindings(body.name, await measureTimes(send(body)), BAR))
    return findings
  },
})
