import { readInTurn, type SocialReaders } from '../contenders/social-readers.ts'
import { compare } from '../measure/compare.ts'
import { assertSameResults } from '../measure/same-results.ts'
import type { Row } from './row.ts'

export const createDatedPhotosRow = (readersOf: () => Promise<SocialReaders>): Row => ({
  name: 'dated',
  title: 'the query for 71 nodes with the times of photos and comments, 40 dates in total',
  async measure() {
    const { viewers, graph, usual, fastest } = await readersOf()
    const ours = [graph.name, graph.getDatedPhotos] as const
    await assertSameResults(viewers, ours, [fastest.name, fastest.getDatedPhotos], 'bytes')
    await assertSameResults(viewers, ours, [usual.name, usual.getDatedPhotos], 'data')
    return compare(readInTurn(viewers, ...ours), [
      { ...readInTurn(viewers, usual.name, usual.getDatedPhotos), bar: { max: 1 } },
      { ...readInTurn(viewers, fastest.name, fastest.getDatedPhotos), bar: { max: 1.8 } },
    ])
  },
})
