import { createHmac } from 'node:crypto'
import fc, { type Arbitrary } from 'fast-check'
import { type Auth, createStaticAuth, isGraphError } from 'kithgraph'
import { type ClientOptions, createClient } from 'kithgraph/client'
import { createHandler, toNodeListener } from 'kithgraph/http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MISSING_ID } from '../helpers/graph-arbitraries.ts'
import type { World } from '../helpers/naive-graph/world.ts'
import { openWorld } from '../helpers/open-world.ts'
import { type Manner, manners, type Prober, transcriptOf, withIds } from '../helpers/probes.ts'
import { nameIn, scopedOptions } from '../helpers/public-ids.ts'
import { inquiries, type Question } from '../helpers/query-arbitraries.ts'
import { drawing, replaceSeams } from '../helpers/scan-seams.ts'
import { IDS } from '../helpers/schema-arbitraries.ts'
import { settings } from '../property/settings.ts'
import { listen, type Served } from './client-servers.ts'

/** A call as anybody may write it, who was not held back by types. */
type OddCall = {
  readonly method: 'getNode' | 'getEdge' | 'getMe' | 'getNodes'
  readonly token: number
  readonly proof: 'right' | 'wrong' | '' | undefined
  readonly options: { readonly [option: string]: unknown }
}

/** A world, and what is asked of it. */
type Story = {
  readonly world: World
  readonly asked: readonly { readonly question: Question; readonly manner: Manner }[]
  readonly odd: readonly OddCall[]
  readonly token: number
  readonly scoped: boolean
  readonly requireProof: boolean
  readonly limits: { readonly scan: number | undefined; readonly cost: number | undefined }
}

const SECRET = 'the secret of the app'
const NOW = Date.UTC(2014, 7, 4)

/** Of the viewer, of an app alone, expired, unknown, none; one of the viewer's can be carried by no header. */
const TOKENS = ['the-viewer', 'кто? 😀&=\n', 'the-app', 'expired', 'unknown', '']

const maybe = <T>(value: Arbitrary<T>): Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 3 })

/** Mostly the viewer's own. */
const tokens = fc.constantFrom(0, 0, 0, 0, 1, 1, 1, 2, 3, 4, 5)
const text = fc.string({ unit: 'grapheme', maxLength: 12 })
const id = fc.oneof({ weight: 3, arbitrary: fc.constantFrom('me', MISSING_ID, ...IDS) }, text)
const date = fc.oneof(text, fc.double(), fc.integer(), fc.date({ noInvalidDate: false }))
const ODD = {
  fields: maybe(fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.constant('["id"]'))),
  version: maybe(fc.constantFrom('v1.0', 'v2.3', 'v99.0', 'v0.0')),
  debug: maybe(fc.constant('all')),
  partial: maybe(fc.boolean()),
}

const oddOptions: { readonly [method in OddCall['method']]: Arbitrary<OddCall['options']> } = {
  getMe: fc.record({ ...ODD, metadata: maybe(fc.boolean()) }),
  getNode: fc.record({ id, ...ODD, metadata: maybe(fc.boolean()) }),
  getNodes: fc.record({
    ids: fc.array(
      // Servers refuse an empty one with words of their own.
      id.filter(one => one !== ''),
      { minLength: 1, maxLength: 60 },
    ),
    ...ODD,
  }),
  getEdge: fc.record({
    id,
    edge: fc.constantFrom('parts', 'links', 'members', 'nothing'),
    limit: maybe(fc.oneof(fc.double(), fc.integer(), text, fc.constant(null))),
    after: maybe(text),
    before: maybe(text),
    since: maybe(date),
    until: maybe(date),
    order: maybe(text),
    // Servers take true in capitals too.
    summary: maybe(fc.oneof(fc.boolean(), fc.constantFrom('', 'yes', 'total'), fc.integer())),
    ...ODD,
  }),
}

const oddCalls: Arbitrary<OddCall> = fc
  .constantFrom('getNode', 'getEdge', 'getMe', 'getNodes')
  .chain((method: OddCall['method']) =>
    fc.record({
      method: fc.constant(method),
      token: tokens,
      proof: maybe(fc.constantFrom('right', 'wrong', '')),
      options: oddOptions[method],
    }),
  )

const stories: Arbitrary<Story> = fc
  .record({
    inquiry: fc.oneof(inquiries({ faults: true }), inquiries({ policed: true, faults: true })),
    manners: fc.array(manners, { minLength: 5, maxLength: 5 }),
    odd: fc.array(oddCalls, { maxLength: 5 }),
    token: tokens,
    scoped: fc.boolean(),
    requireProof: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
    limits: fc.record({
      scan: maybe(fc.integer({ min: 1, max: 10 })),
      cost: maybe(fc.integer({ min: 1, max: 200 })),
    }),
  })
  .map(({ inquiry: { world, asked }, manners, limits, ...story }) => {
    const probes = asked.flatMap((question, index) => {
      const manner = manners[index]
      return manner ? [{ question, manner }] : []
    })
    // In-process, hasEdge has no cost; over HTTP it is a read of one entry, which has.
    const isFree = probes.some(({ manner }) => manner.as === 'hasEdge')
    return { ...story, limits: isFree ? { ...limits, cost: undefined } : limits, world, asked: probes }
  })

const authFor = ({ viewer, scopes }: World): Auth[] => {
  const grant = { viewer, app: 'tests', scopes }
  const [plain = '', odd = '', app = '', expired] = TOKENS
  return [
    createStaticAuth({ [plain]: grant, [odd]: grant, [app]: { ...grant, viewer: undefined } }),
    { authenticate: token => (token === expired ? { refused: 'expired' } : undefined) },
  ]
}

/** What a call comes to, as text: its answer, or its fault without the trace id. */
const textOf = async (call: () => Promise<unknown>): Promise<string> => {
  try {
    return JSON.stringify(await call())
  } catch (error) {
    if (!isGraphError(error)) throw error
    return JSON.stringify({ error: { ...error.toJSON().error, fbtrace_id: '' } })
  }
}

const oddText = (graph: Prober['graph'], { method, token, proof, options }: OddCall): Promise<string> => {
  const caller = TOKENS[token] ?? ''
  const right = createHmac('sha256', SECRET).update(caller).digest('hex')
  const call = { ...options, proof: proof === 'right' ? right : proof }
  const read: (token: string, call: never) => Promise<unknown> = graph[method]
  return textOf(() => read(caller, call as never))
}

/** All that those who read get to know, as texts. */
const play = async (graph: Prober['graph'], story: Story, named: (id: string) => string) => {
  const prober = { graph, session: TOKENS[story.token] ?? '' }
  const ids = [...IDS, MISSING_ID].map(named)
  const probed = story.asked.map(({ question, manner }) =>
    transcriptOf(prober, { question: withIds(question, named), manner }, { ids }),
  )
  const odd = story.odd.map(call => oddText(graph, call))
  return Promise.all([...probed, ...odd])
}

type Serve = Parameters<typeof toNodeListener>[0]

/** Opens the world of a story, serves it, and compares what is read of it here and there. */
const agree = async (
  story: Story,
  serve: (handler: Serve) => { readonly url: string; readonly options: ClientOptions },
  ways: readonly ClientOptions[],
): Promise<void> => {
  const { world, scoped, requireProof, limits } = story
  const { appIds, secret } = scopedOptions()
  const { graph } = await openWorld(world, {
    auth: authFor(world),
    secret,
    limits,
    requireProof,
    appSecrets: { tests: SECRET },
    now: () => NOW,
    ...(scoped && { appIds }),
  })
  // Otherwise the same call could end at another limit in each of its turns.
  replaceSeams(graph, { drawUniform: drawing(0.5) })
  const app = appIds.forApp('tests')
  const named = nameIn([world], id => (scoped ? app.toPublic(id) : id))
  const expected = await play(graph, story, named)
  const { url, options } = serve(createHandler(graph))
  for (const way of ways) {
    // What a client does not have is asked in-process in any case.
    const remote = { ...graph, ...createClient(url, { ...options, ...way }) } as typeof graph
    expect(await play(remote, story, named)).toEqual(expected)
  }
}

describe('a remote graph, over a socket', () => {
  let server: Served
  let listener: ReturnType<typeof toNodeListener>
  beforeAll(async () => {
    server = await listen((request, response) => listener(request, response))
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const overSocket = (handler: Serve) => {
    listener = toNodeListener(handler)
    return { url: server.url, options: {} }
  }

  it.each<readonly [string, ClientOptions]>([
    ['with tokens in headers', {}],
    ['with tokens in queries', { tokenPlace: 'query' }],
    ['in batches', { batch: true }],
  ])('answers what the graph in-process answers, faults too, %s', async (_name, way) => {
    await fc.assert(
      fc.asyncProperty(stories, story => agree(story, overSocket, [way])),
      settings(40, 1000),
    )
  })
})

describe('the comparison finds', () => {
  /** A client whose requests something is done to on their way. */
  const changed = (change: (url: string, init: RequestInit) => readonly [string, RequestInit]) => {
    const serve = (handler: Serve) => {
      const answer = handler as Serve & ((request: Request) => Promise<Response>)
      const fetch = (url: string, init: RequestInit) => answer(new Request(...change(url, init)))
      return { url: 'http://a.example', options: { fetch } }
    }
    return fc.asyncProperty(stories, story => agree(story, serve, [{}]))
  }

  it('nothing where nothing was changed', async () => {
    await fc.assert(
      changed((url, init) => [url, init]),
      settings(40, 300),
    )
  })

  it.each<readonly [string, (url: string, init: RequestInit) => readonly [string, RequestInit]]>([
    [
      'links that lead back to the server',
      (url, init) => [url, { ...init, headers: { ...init.headers, 'kithgraph-links': 'absolute' } }],
    ],
    ['parameters that were lost', (url, init) => [url.replace('limit=', 'limited='), init]],
    ['proofs that were lost', (url, init) => [url.replace('appsecret_proof=', 'proof='), init]],
    ['types that were not enforced', (url, init) => [url.replace('node_type=', 'type='), init]],
  ])('%s', async (_name, change) => {
    const { failed } = await fc.check(changed(change), { ...settings(1000), endOnFailure: true })
    expect(failed).toBe(true)
  })
})
