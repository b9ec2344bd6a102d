import { readInTurn, type SocialReaders } from '../contenders/social-readers.ts'
import { compare } from '../measure/compare.ts'
import { assertSameResults } from '../measure/same-results.ts'
import type { Row } from './row.ts'

export const createPhotosRow = (readersOf: () => Promise<SocialReaders>): Row => ({
  name: 'photos',
  title: 'the query for 71 nodes in 4 levels, with pages and links',
  async measure() {
    const { viewers, graph, usual, fastest, graphql, graphqlJit } = await readersOf()
    const ours = [graph.name, graph.getPhotos] as const
    await assertSameResults(viewers, ours, [fastest.name, fastest.getPhotos], 'bytes')
    for (const { name, getPhotos } of [usual, graphql, graphqlJit]) {
      await assertSameResults(viewers, ours, [name, getPhotos], 'data')
    }
    return compare(readInTurn(viewers, ...ours), [
      { ...readInTurn(viewers, usual.name, usual.getPhotos), bar: { max: 1 } },
      { ...readInTurn(viewers, fastest.name, fastest.getPhotos), bar: { max: 1.8 } },
      { ...readInTurn(viewers, graphql.name, graphql.getPhotos), bar: { min: 7 } },
      { ...readInTurn(viewers, graphqlJit.name, graphqlJit.getPhotos), bar: { min: 2 } },
    ])
  },
})
