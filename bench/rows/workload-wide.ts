import { createGraphqlQueryReaders } from '../contenders/graphql-readers.ts'
import { readInTurn } from '../contenders/social-readers.ts'
import { createWideGraph, createWideMaps } from '../contenders/wide-readers.ts'
import { createWideData, WIDE_QUERY, WIDTH } from '../data/wide.ts'
import { compare } from '../measure/compare.ts'
import { assertSameResults } from '../measure/same-results.ts'
import type { Row } from './row.ts'

export const createWideRow = (): Row => ({
  name: 'workload-wide',
  title: `${WIDTH} photos with ${WIDTH} comments each`,
  async measure() {
    const data = createWideData()
    const { viewers } = data
    const graph = await createWideGraph(data)
    const maps = createWideMaps(data)
    const graphql = createGraphqlQueryReaders(data, WIDE_QUERY)
    await assertSameResults(viewers, graph, maps, 'bytes')
    for (const other of graphql) await assertSameResults(viewers, graph, other, 'data')
    return compare(
      readInTurn(viewers, ...graph),
      [maps, ...graphql].map(other => readInTurn(viewers, ...other)),
    )
  },
})
