import { createHandler } from 'kithgraph/http'
import { ENGINE, type Engine } from '../../src/execute/engine.ts'
import { JsonReadApi } from '../../src/execute/read-api.ts'
import type { SocialReader } from '../contenders/contender.ts'
import type { GraphReader } from '../contenders/graph.ts'
import { readInTurn, type SocialReaders } from '../contenders/social-readers.ts'
import { PHOTOS } from '../data/expressions.ts'
import { compare } from '../measure/compare.ts'
import { assertSameResults } from '../measure/same-results.ts'
import type { Row } from './row.ts'

type TextReader = readonly [name: string, textOf: (viewer: string) => string | PromiseLike<string>]

/** Hand-written code is synchronous, so its result is not awaited. */
const createStringifyReader = ({ name, getPhotos }: SocialReader): TextReader => [
  `${name} + JSON.stringify`,
  viewer => JSON.stringify(getPhotos(viewer)),
]

const createGraphStringifyReader = ({ name, getPhotos }: GraphReader): TextReader => [
  `${name}, getMe + JSON.stringify`,
  async viewer => JSON.stringify(await getPhotos(viewer)),
]

/**
 * Reads as a handler does, without the rest of the request. The links have the same form as in an in-process
 * call.
 */
const createHostedReader = ({ name, graph, tokenOf }: GraphReader): TextReader => {
  const engine = Reflect.get(graph, ENGINE) as Engine
  const none = () => undefined
  const links = { linkBase: '', linkQuery: '', defaultPicture: undefined }
  const callHooks = {
    ...links,
    deadline: undefined,
    onSession: none,
    charge: none,
    chargeScanExcess: none,
    onLength: none,
  }
  return [
    `${name}, only the read`,
    viewer => new JsonReadApi(engine, callHooks).getNode(tokenOf(viewer), { id: 'me', fields: PHOTOS }),
  ]
}

const createHandlerReader = ({ name, graph, tokenOf }: GraphReader): TextReader => {
  const { respond } = createHandler(graph)
  const url = `/me?fields=${encodeURIComponent(PHOTOS)}`
  return [
    `${name}, handler.respond`,
    async viewer => {
      const headers = { authorization: `Bearer ${tokenOf(viewer)}`, 'kithgraph-links': 'relative' }
      return (await respond({ method: 'GET', url, headers })).body ?? ''
    },
  ]
}

/**
 * Flattens the text, which also happens when a server sends it. V8 keeps concatenated text in pieces until
 * its bytes are needed.
 */
const flattenText = ([name, textOf]: TextReader): readonly [string, (viewer: string) => unknown] => [
  name,
  viewer => {
    const text = textOf(viewer)
    return typeof text === 'string' ? Buffer.byteLength(text) : text.then(late => Buffer.byteLength(late))
  },
]

export const createPhotosTextRow = (readersOf: () => Promise<SocialReaders>): Row => ({
  name: 'text',
  title: 'the query for 71 nodes, with the result as JSON text',
  async measure() {
    const { viewers, graph, usual, fastest } = await readersOf()
    const ours = createHandlerReader(graph)
    const alike = [
      createHostedReader(graph),
      createGraphStringifyReader(graph),
      createStringifyReader(fastest),
    ]
    for (const one of alike) await assertSameResults(viewers, ours, one, 'bytes')
    await assertSameResults(viewers, [graph.name, graph.getPhotos], [usual.name, usual.getPhotos], 'data')
    const timed = (texts: TextReader) => readInTurn(viewers, ...flattenText(texts))
    const [read, objects] = [createHostedReader(graph), createGraphStringifyReader(graph)]
    const byHand = [
      { ...timed(createStringifyReader(usual)), bar: { max: 0.8 } },
      { ...timed(createStringifyReader(fastest)), bar: { max: 1 } },
    ]
    return [
      ...(await compare(timed(ours), byHand)),
      ...(await compare(timed(read), [timed(objects), ...byHand])),
    ]
  },
})
