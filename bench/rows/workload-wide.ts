import { createGraphqlAnswerers } from '../contenders/graphql-readers.ts'
import { inTurn } from '../contenders/social-readers.ts'
import { createWideGraph, createWideMaps } from '../contenders/wide-readers.ts'
import { createWideData, WIDE_QUERY, WIDTH } from '../data/wide.ts'
import { compare } from '../measure/compare.ts'
import { assertSameAnswers } from '../measure/same-answers.ts'
import type { Row } from './row.ts'

export const createWideRow = (): Row => ({
  name: 'workload-wide',
  title: `${WIDTH} photos with ${WIDTH} comments each`,
  async measure() {
    const data = createWideData()
    const { viewers } = data
    const graph = await createWideGraph(data)
    const maps = createWideMaps(data)
    const graphql = createGraphqlAnswerers(data, WIDE_QUERY)
    await assertSameAnswers(viewers, graph, maps, 'bytes')
    for (const other of graphql) await assertSameAnswers(viewers, graph, other, 'data')
    return compare(
      inTurn(viewers, ...graph),
      [maps, ...graphql].map(other => inTurn(viewers, ...other)),
    )
  },
})
