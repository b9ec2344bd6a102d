import { createGrowingReaders, type GrowingReaders } from '../contenders/growing-readers.ts'
import { compare } from '../measure/compare.ts'
import type { Finding } from '../measure/finding.ts'
import type { Row } from './row.ts'

const SIZES = [1_000, 10_000, 100_000, 1_000_000]
const LARGEST = 10_000_000
const PAGE = 25

/** The readers of a graph with the given number of edges. */
type SizedGraph = { readonly edges: number; readonly readers: GrowingReaders }
type Read = (readers: GrowingReaders, turn: number) => unknown

/**
 * Measures a read in graphs of several sizes. Compares the first graph, which is the largest, with the
 * others.
 */
const compareSizes = async (line: string, graphs: readonly SizedGraph[], read: Read): Promise<Finding[]> => {
  const [largest, ...others] = graphs.map(({ edges, readers }) => ({
    name: `${line}, ${edges.toLocaleString('en-US')} edges`,
    call: (turn: number) => read(readers, turn),
  }))
  return largest === undefined ? [] : compare(largest, others)
}

const comparePlotted = async (
  line: string,
  graphs: readonly SizedGraph[],
  read: Read,
): Promise<Finding[]> => {
  const findings = await compareSizes(line, graphs, read)
  return findings.map(
    (finding, index): Finding => ({
      ...finding,
      plotPoint: { line, at: graphs[index]?.edges ?? 0 },
    }),
  )
}

export const createGrowthRow = (isLarge: boolean): Row => ({
  name: 'growth',
  title:
    'the query for 71 nodes, and a page of the longest list with its count, in graphs of different sizes',
  options: isLarge ? ['--large'] : [],
  async measure() {
    const graphs: SizedGraph[] = []
    for (const edges of [...(isLarge ? [LARGEST] : []), ...SIZES.toReversed()])
      graphs.push({ edges, readers: await createGrowingReaders(edges) })
    const ends = graphs.filter((_, index) => index === 0 || index === graphs.length - 1)
    return [
      ...(await comparePlotted('71 nodes', graphs, (readers, turn) => readers.readPhotos(turn))),
      ...(await comparePlotted(`a page of ${PAGE}`, graphs, (readers, turn) => readers.readPage(turn, PAGE))),
      // These nodes stay in the processor caches, so cache misses do not hide the cost of the size itself.
      ...(await compareSizes('71 nodes, always the same', ends, readers => readers.readPhotos(0))),
      ...(await compareSizes(`a page of ${PAGE}, always the same`, ends, readers =>
        readers.readPage(0, PAGE),
      )),
    ]
  },
})
