import type { SocialReaders } from '../contenders/social-readers.ts'
import { measureCollectorShare, measureHeldBytes } from '../heap/collector.ts'
import type { Finding } from '../measure/finding.ts'
import { spreadOf } from '../measure/statistics.ts'
import type { Row } from './row.ts'

const QUERIES = 100_000
const ROUNDS = 3
const KIB = 1024

/** Measures whether completed queries leave anything in the heap. Half of the queries read 71 nodes. */
export const createHeapRow = (readersOf: () => Promise<SocialReaders>): Row => ({
  name: 'workload-heap',
  title: `the growth of the heap after ${QUERIES} queries, and the share of the time that the garbage collector takes`,
  async measure() {
    const { viewers, graph } = await readersOf()
    const query = (turn: number): unknown => {
      const viewer = viewers[turn % viewers.length] ?? ''
      return turn % 2 === 0 ? graph.getMe(viewer) : graph.getPhotos(viewer)
    }
    const readAll = async (): Promise<void> => {
      for (let turn = 0; turn < QUERIES; turn++) await query(turn)
    }
    // The first reads fill the caches of plans, token digests and compiled code.
    await readAll()
    const growths: number[] = []
    const shares: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const before = measureHeldBytes()
      shares.push(100 * (await measureCollectorShare(readAll)))
      growths.push((measureHeldBytes() - before) / KIB)
    }
    return [
      { label: 'growth of the heap', figure: spreadOf(growths), unit: 'KiB', bar: { max: 100 } },
      { label: 'garbage collector', figure: spreadOf(shares), unit: '%' },
    ] satisfies Finding[]
  },
})
