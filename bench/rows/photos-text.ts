import type { SocialReader } from '../contenders/contender.ts'
import { inTurn, type SocialReaders } from '../contenders/social-readers.ts'
import { compare } from '../measure/compare.ts'
import { assertSameAnswers } from '../measure/same-answers.ts'
import type { Row } from './row.ts'

const toText = ({ name, getPhotos }: SocialReader) =>
  [`${name}, to text`, async (viewer: string) => JSON.stringify(await getPhotos(viewer))] as const

/** Hand-written code answers at once, and is not made to wait. */
const toTextAtOnce = ({ name, getPhotos }: SocialReader) =>
  [`${name}, to text`, (viewer: string) => JSON.stringify(getPhotos(viewer))] as const

export const createPhotosTextRow = (readersOf: () => Promise<SocialReaders>): Row => ({
  name: 'text',
  title: '71 nodes in 4 levels to JSON text, by JSON.stringify on all sides',
  async measure() {
    const { viewers, graph, usual, fastest } = await readersOf()
    const ours = toText(graph)
    await assertSameAnswers(viewers, ours, toTextAtOnce(fastest), 'bytes')
    await assertSameAnswers(viewers, [graph.name, graph.getPhotos], [usual.name, usual.getPhotos], 'data')
    return compare(inTurn(viewers, ...ours), [
      { ...inTurn(viewers, ...toTextAtOnce(usual)), bar: { atMost: 0.8 } },
      { ...inTurn(viewers, ...toTextAtOnce(fastest)), bar: { atMost: 1 } },
    ])
  },
})
