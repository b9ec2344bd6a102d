import { inTurn, type SocialReaders } from '../contenders/social-readers.ts'
import { compare } from '../measure/compare.ts'
import { assertSameAnswers } from '../measure/same-answers.ts'
import type { Row } from './row.ts'

export const createPhotosRow = (readersOf: () => Promise<SocialReaders>): Row => ({
  name: 'photos',
  title: '71 nodes in 4 levels, pages and links included',
  async measure() {
    const { viewers, graph, usual, fastest, graphql, graphqlJit } = await readersOf()
    const ours = [graph.name, graph.getPhotos] as const
    await assertSameAnswers(viewers, ours, [fastest.name, fastest.getPhotos], 'bytes')
    for (const { name, getPhotos } of [usual, graphql, graphqlJit]) {
      await assertSameAnswers(viewers, ours, [name, getPhotos], 'data')
    }
    return compare(inTurn(viewers, ...ours), [
      { ...inTurn(viewers, usual.name, usual.getPhotos), bar: { atMost: 1 } },
      { ...inTurn(viewers, fastest.name, fastest.getPhotos), bar: { atMost: 1.8 } },
      { ...inTurn(viewers, graphql.name, graphql.getPhotos), bar: { atLeast: 7 } },
      { ...inTurn(viewers, graphqlJit.name, graphqlJit.getPhotos), bar: { atLeast: 2 } },
    ])
  },
})
