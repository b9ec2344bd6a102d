import { inTurn, type SocialReaders } from '../contenders/social-readers.ts'
import { compare } from '../measure/compare.ts'
import { assertSameAnswers } from '../measure/same-answers.ts'
import type { Row } from './row.ts'

export const createGetMeRow = (readersOf: () => Promise<SocialReaders>): Row => ({
  name: 'me',
  title: 'getMe, default fields',
  async measure() {
    const { viewers, graph, fastest, graphql, graphqlJit } = await readersOf()
    for (const other of [fastest, graphql, graphqlJit]) {
      await assertSameAnswers(viewers, [graph.name, graph.getMe], [other.name, other.getMe], 'bytes')
    }
    return compare(inTurn(viewers, graph.name, graph.getMe), [
      inTurn(viewers, fastest.name, fastest.getMe),
      { ...inTurn(viewers, graphql.name, graphql.getMe), bar: { atLeast: 5 } },
      { ...inTurn(viewers, graphqlJit.name, graphqlJit.getMe), bar: { atLeast: 1 } },
    ])
  },
})
