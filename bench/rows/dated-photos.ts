import { inTurn, type SocialReaders } from '../contenders/social-readers.ts'
import { compare } from '../measure/compare.ts'
import { assertSameAnswers } from '../measure/same-answers.ts'
import type { Row } from './row.ts'

export const createDatedPhotosRow = (readersOf: () => Promise<SocialReaders>): Row => ({
  name: 'dated',
  title: '71 nodes in 4 levels with the times of photos and comments, 40 dates',
  async measure() {
    const { viewers, graph, usual, fastest } = await readersOf()
    const ours = [graph.name, graph.getDatedPhotos] as const
    await assertSameAnswers(viewers, ours, [fastest.name, fastest.getDatedPhotos], 'bytes')
    await assertSameAnswers(viewers, ours, [usual.name, usual.getDatedPhotos], 'data')
    return compare(inTurn(viewers, ...ours), [
      { ...inTurn(viewers, usual.name, usual.getDatedPhotos), bar: { atMost: 1 } },
      { ...inTurn(viewers, fastest.name, fastest.getDatedPhotos), bar: { atMost: 1.8 } },
    ])
  },
})
