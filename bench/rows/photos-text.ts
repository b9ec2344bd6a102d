import { createHandler } from 'kithgraph/http'
import { ENGINE, type Engine } from '../../src/execute/engine.ts'
import { HostedReads } from '../../src/execute/hosted-reads.ts'
import type { SocialReader } from '../contenders/contender.ts'
import type { GraphReader } from '../contenders/graph.ts'
import { inTurn, type SocialReaders } from '../contenders/social-readers.ts'
import { PHOTOS } from '../data/expressions.ts'
import { compare } from '../measure/compare.ts'
import { assertSameAnswers } from '../measure/same-answers.ts'
import type { Row } from './row.ts'

type Texts = readonly [name: string, textOf: (viewer: string) => string | PromiseLike<string>]

/** Hand-written code answers at once, and is not made to wait. */
const stringified = ({ name, getPhotos }: SocialReader): Texts => [
  `${name} + JSON.stringify`,
  viewer => JSON.stringify(getPhotos(viewer)),
]

const stringifiedGraph = ({ name, getPhotos }: GraphReader): Texts => [
  `${name}, getMe + JSON.stringify`,
  async viewer => JSON.stringify(await getPhotos(viewer)),
]

/** As a handler reads, without what a request takes beside: its links those of a call in this process. */
const hosted = ({ name, graph, tokenOf }: GraphReader): Texts => {
  const engine = Reflect.get(graph, ENGINE) as Engine
  const none = () => undefined
  const links = { linkBase: '', linkQuery: '', silhouette: undefined }
  const host = { ...links, deadline: undefined, meet: none, charge: none, chargeScan: none, wrote: none }
  return [
    `${name}, the read alone`,
    viewer => new HostedReads(engine, host).node(tokenOf(viewer), { id: 'me', fields: PHOTOS }),
  ]
}

const handled = ({ name, graph, tokenOf }: GraphReader): Texts => {
  const { answer } = createHandler(graph)
  const url = `/me?fields=${encodeURIComponent(PHOTOS)}`
  return [
    `${name}, handler.answer`,
    async viewer => {
      const headers = { authorization: `Bearer ${tokenOf(viewer)}`, 'kithgraph-links': 'relative' }
      return (await answer({ method: 'GET', url, headers })).body ?? ''
    },
  ]
}

/** Text that is put together lies in pieces until it is asked for its bytes, as whoever sends it does. */
const inOnePiece = ([name, textOf]: Texts): readonly [string, (viewer: string) => unknown] => [
  name,
  viewer => {
    const text = textOf(viewer)
    return typeof text === 'string' ? Buffer.byteLength(text) : text.then(late => Buffer.byteLength(late))
  },
]

export const createPhotosTextRow = (readersOf: () => Promise<SocialReaders>): Row => ({
  name: 'text',
  title: '71 nodes in 4 levels to JSON text in one piece',
  async measure() {
    const { viewers, graph, usual, fastest } = await readersOf()
    const ours = handled(graph)
    const alike = [hosted(graph), stringifiedGraph(graph), stringified(fastest)]
    for (const one of alike) await assertSameAnswers(viewers, ours, one, 'bytes')
    await assertSameAnswers(viewers, [graph.name, graph.getPhotos], [usual.name, usual.getPhotos], 'data')
    const timed = (texts: Texts) => inTurn(viewers, ...inOnePiece(texts))
    const [read, objects] = [hosted(graph), stringifiedGraph(graph)]
    const byHand = [
      { ...timed(stringified(usual)), bar: { atMost: 0.8 } },
      { ...timed(stringified(fastest)), bar: { atMost: 1 } },
    ]
    return [
      ...(await compare(timed(ours), byHand)),
      ...(await compare(timed(read), [timed(objects), ...byHand])),
    ]
  },
})
