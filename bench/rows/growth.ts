import type { Contender } from '../contenders/contender.ts'
import { createGrowingReaders } from '../contenders/growing-readers.ts'
import { compare } from '../measure/compare.ts'
import type { Finding } from '../measure/finding.ts'
import type { Row } from './row.ts'

const SIZES = [1_000, 10_000, 100_000, 1_000_000]
const LARGEST = 10_000_000
const PAGE = 25

/** A contender for each size of the graph, the largest first: it is what the others are held beside. */
type Sized = { readonly edges: number; readonly contender: Contender }

const compareSizes = async (line: string, sized: readonly Sized[]): Promise<Finding[]> => {
  const [largest, ...others] = sized.map(({ contender }) => contender)
  const findings = largest === undefined ? [] : await compare(largest, others)
  return findings.map((finding, index) => ({ ...finding, drawn: { line, at: sized[index]?.edges ?? 0 } }))
}

export const createGrowthRow = (isLarge: boolean): Row => ({
  name: 'growth',
  title:
    'reads of a graph of any size: 71 nodes of people all over it, a page and the count of its longest list',
  options: isLarge ? ['--large'] : [],
  async measure() {
    const photos: Sized[] = []
    const pages: Sized[] = []
    for (const edges of [...(isLarge ? [LARGEST] : []), ...SIZES.toReversed()]) {
      const { readPhotos, readPage } = await createGrowingReaders(edges)
      const name = `of ${edges.toLocaleString('en-US')} edges`
      photos.push({ edges, contender: { name: `71 nodes ${name}`, call: readPhotos } })
      const call = (turn: number) => readPage(turn, PAGE)
      pages.push({ edges, contender: { name: `page ${name}`, call } })
    }
    return [
      ...(await compareSizes('71 nodes in 4 levels', photos)),
      ...(await compareSizes(`a page of ${PAGE}`, pages)),
    ]
  },
})
