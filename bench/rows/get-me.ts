import { readInTurn, type SocialReaders } from '../contenders/social-readers.ts'
import { compare } from '../measure/compare.ts'
import { assertSameResults } from '../measure/same-results.ts'
import type { Row } from './row.ts'

export const createGetMeRow = (readersOf: () => Promise<SocialReaders>): Row => ({
  name: 'me',
  title: 'getMe with its default fields',
  async measure() {
    const { viewers, graph, fastest, graphql, graphqlJit } = await readersOf()
    for (const other of [fastest, graphql, graphqlJit]) {
      await assertSameResults(viewers, [graph.name, graph.getMe], [other.name, other.getMe], 'bytes')
    }
    return compare(readInTurn(viewers, graph.name, graph.getMe), [
      readInTurn(viewers, fastest.name, fastest.getMe),
      { ...readInTurn(viewers, graphql.name, graphql.getMe), bar: { min: 5 } },
      { ...readInTurn(viewers, graphqlJit.name, graphqlJit.getMe), bar: { min: 1 } },
    ])
  },
})
