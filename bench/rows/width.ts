import { createGrowingReaders } from '../contenders/growing-readers.ts'
import { compare } from '../measure/compare.ts'
import type { Finding } from '../measure/finding.ts'
import type { Row } from './row.ts'

const EDGES = 100_000
/** The largest limit is first, because the others are compared with it. */
const LIMITS = [100, 50, 25, 10, 5, 2, 1]

const compareWidths = async (
  line: string,
  read: (turn: number, limit: number) => unknown,
): Promise<Finding[]> => {
  const contenders = LIMITS.map(limit => ({
    name: `${line}, limit ${limit}`,
    call: (turn: number) => read(turn, limit),
  }))
  const [widest, ...others] = contenders
  const findings = widest === undefined ? [] : await compare(widest, others)
  return findings.map(
    (finding, index): Finding => ({ ...finding, plotPoint: { line, at: LIMITS[index] ?? 0 } }),
  )
}

export const createWidthRow = (): Row => ({
  name: 'width',
  title: `pages of different sizes, in a graph of ${EDGES.toLocaleString('en-US')} edges`,
  async measure() {
    const { readPage, readWide } = await createGrowingReaders(EDGES)
    return [
      ...(await compareWidths('photos with comments', (_, limit) => readWide(limit))),
      ...(await compareWidths('a page', readPage)),
    ]
  },
})
