import { createHmac } from 'node:crypto'
import fc, { type Arbitrary } from 'fast-check'
import { type Auth, createStaticAuth, isGraphError } from 'kithgraph'
import { type ClientOptions, createClient } from 'kithgraph/client'
import { createHandler, toNodeListener } from 'kithgraph/http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAppIdOptions, createIdMapper } from '../helpers/app-id-options.ts'
import { missingIdOf } from '../helpers/id-kinds.ts'
import { storedPartOf } from '../helpers/naive-graph/collections.ts'
import type { World } from '../helpers/naive-graph/world.ts'
import { openWorld } from '../helpers/open-world.ts'
import { type Caller, type CallVariant, callVariants, recordTranscript, withIds } from '../helpers/probes.ts'
import { type CallSpec, worldsWithCalls } from '../helpers/query-arbitraries.ts'
import { drawInTurn, overrideScan } from '../helpers/scan-overrides.ts'
import { IDS } from '../helpers/schema-arbitraries.ts'
import { propertySettings } from '../property/property-settings.ts'
import { listen, type ScriptedServer } from './scripted-servers.ts'

/** A call that untyped code may make. */
type OddCall = {
  readonly method: 'getNode' | 'getEdge' | 'getMe' | 'getNodes'
  readonly token: number
  readonly proof: 'right' | 'wrong' | '' | undefined
  readonly options: { readonly [option: string]: unknown }
}

/** A world and its calls. */
type AgreementCase = {
  readonly world: World
  readonly calls: readonly { readonly callSpec: CallSpec; readonly variant: CallVariant }[]
  readonly odd: readonly OddCall[]
  readonly token: number
  readonly scoped: boolean
  readonly requireProof: boolean
  readonly limits: { readonly scan: number | undefined; readonly cost: number | undefined }
}

const SECRET = 'the secret of the app'
const NOW = Date.UTC(2014, 7, 4)

/** Two tokens of the viewer (the second cannot be in a header), an app token, and three invalid tokens. */
const TOKENS = ['the-viewer', 'кто? 😀&=\n', 'the-app', 'expired', 'unknown', '']

const maybe = <T>(value: Arbitrary<T>): Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 3 })

/** Indexes of tokens, mostly those of the viewer. */
const tokens = fc.constantFrom(0, 0, 0, 0, 1, 1, 1, 2, 3, 4, 5)
const text = fc.string({ unit: 'grapheme', maxLength: 12 })
const id = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('me', '404', 'person-404', ...IDS, 'person-1', 'thing-2') },
  text,
)
const date = fc.oneof(text, fc.double(), fc.integer(), fc.date({ noInvalidDate: false }))
const ODD_VALUES = {
  fields: maybe(fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.constant('["id"]'))),
  version: maybe(fc.constantFrom('v1.0', 'v2.3', 'v99.0', 'v0.0')),
  debug: maybe(fc.constant('all')),
  partial: maybe(fc.boolean()),
}

const oddOptions: { readonly [method in OddCall['method']]: Arbitrary<OddCall['options']> } = {
  getMe: fc.record({ ...ODD_VALUES, metadata: maybe(fc.boolean()) }),
  getNode: fc.record({ id, ...ODD_VALUES, metadata: maybe(fc.boolean()) }),
  getNodes: fc.record({
    ids: fc.array(
      // For an empty id, the message over HTTP is different.
      id.filter(one => one !== ''),
      { minLength: 1, maxLength: 60 },
    ),
    ...ODD_VALUES,
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
    parameters: maybe(fc.constantFrom({}, { kind: 'x' }, { kind: 5, type: undefined })),
    // The values include no arbitrary text, because over HTTP the text TRUE is also true.
    summary: maybe(fc.oneof(fc.boolean(), fc.constantFrom('', 'yes', 'total'), fc.integer())),
    ...ODD_VALUES,
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

const agreementCases: Arbitrary<AgreementCase> = fc
  .record({
    worldWithCalls: fc.oneof(
      worldsWithCalls({ hasErrors: true }),
      worldsWithCalls({ hasPolicies: true, hasErrors: true }),
    ),
    variants: fc.array(callVariants, { minLength: 5, maxLength: 5 }),
    odd: fc.array(oddCalls, { maxLength: 5 }),
    token: tokens,
    scoped: fc.boolean(),
    requireProof: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
    limits: fc.record({
      scan: maybe(fc.integer({ min: 1, max: 10 })),
      cost: maybe(fc.integer({ min: 1, max: 200 })),
    }),
  })
  .map(({ worldWithCalls: { world, calls }, variants, limits, ...agreementCase }) => {
    const probes = calls.flatMap((callSpec, index) => {
      const variant = variants[index]
      return variant ? [{ callSpec, variant }] : []
    })
    // In-process, hasEdge has no cost. Over HTTP it is a read of one entry, which has a cost.
    const isFree = probes.some(({ variant }) => variant.via === 'hasEdge')
    return {
      ...agreementCase,
      limits: isFree ? { ...limits, cost: undefined } : limits,
      world,
      calls: probes,
    }
  })

const createAuth = ({ viewer, scopes }: World): Auth[] => {
  const grant = { viewer, app: 'tests', scopes }
  const [plain = '', odd = '', app = '', expired] = TOKENS
  return [
    createStaticAuth({ [plain]: grant, [odd]: grant, [app]: { ...grant, viewer: undefined } }),
    { authenticate: token => (token === expired ? { failure: 'expired' } : undefined) },
  ]
}

/** Returns the result of a call as text, or its error without the trace id. */
const captureText = async (call: () => Promise<unknown>): Promise<string> => {
  try {
    return JSON.stringify(await call())
  } catch (error) {
    if (!isGraphError(error)) throw error
    return JSON.stringify({ error: { ...error.toJSON().error, fbtrace_id: '' } })
  }
}

const captureOddCall = (
  graph: Caller['graph'],
  { method, token, proof, options }: OddCall,
): Promise<string> => {
  const caller = TOKENS[token] ?? ''
  const right = createHmac('sha256', SECRET).update(caller).digest('hex')
  const call = { ...options, proof: proof === 'right' ? right : proof }
  const read: (token: string, call: never) => Promise<unknown> = graph[method]
  return captureText(() => read(caller, call as never))
}

/** Runs all calls of a case, and returns all of their results and errors as texts. */
const runCase = async (
  graph: Caller['graph'],
  agreementCase: AgreementCase,
  named: (id: string) => string,
) => {
  const prober = { graph, session: TOKENS[agreementCase.token] ?? '' }
  const { world } = agreementCase
  const ids = [...storedPartOf(world).nodes.map(({ id }) => id), missingIdOf(world)].map(named)
  const probed = agreementCase.calls.map(({ callSpec, variant }) =>
    recordTranscript(prober, { callSpec: withIds(callSpec, named), variant }, { ids }),
  )
  const odd = agreementCase.odd.map(call => captureOddCall(graph, call))
  return Promise.all([...probed, ...odd])
}

type Serve = Parameters<typeof toNodeListener>[0]

/** Opens the world of a case, serves it, and compares the results over HTTP with those in-process. */
const compareGraphs = async (
  agreementCase: AgreementCase,
  serve: (handler: Serve) => { readonly url: string; readonly options: ClientOptions },
  ways: readonly ClientOptions[],
): Promise<void> => {
  const { world, scoped, requireProof, limits } = agreementCase
  const { appIds, secret } = createAppIdOptions()
  const { graph } = await openWorld(world, {
    auth: createAuth(world),
    secret,
    limits,
    requireProof,
    appSecrets: { tests: SECRET },
    now: () => NOW,
    ...(scoped && { appIds }),
  })
  // A fixed draw, because otherwise the drawn limit of the same call could differ between runs.
  overrideScan(graph, { drawUniform: drawInTurn(0.5) })
  const app = appIds.forApp('tests')
  const named = createIdMapper([world], id => (scoped ? app.toPublic(id) : id))
  const expected = await runCase(graph, agreementCase, named)
  const { url, options } = serve(createHandler(graph))
  for (const way of ways) {
    // Methods that a client does not have run in-process.
    const remote = { ...graph, ...createClient(url, { ...options, ...way }) } as typeof graph
    expect(await runCase(remote, agreementCase, named)).toEqual(expected)
  }
}

describe('a remote graph over a socket', () => {
  let server: ScriptedServer
  let listener: ReturnType<typeof toNodeListener>
  beforeAll(async () => {
    server = await listen((request, response) => listener(request, response))
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const serveOverSocket = (handler: Serve) => {
    listener = toNodeListener(handler)
    return { url: server.url, options: {} }
  }

  it.each<readonly [string, ClientOptions]>([
    ['with tokens in headers', {}],
    ['with tokens in queries', { tokenIn: 'query' }],
    ['in batches', { batch: true }],
  ])('returns the same results and errors as the graph in-process, %s', async (_name, way) => {
    await fc.assert(
      fc.asyncProperty(agreementCases, agreementCase => compareGraphs(agreementCase, serveOverSocket, [way])),
      propertySettings(25, 1000),
    )
  })
})

describe('the comparison of a remote graph with one in-process', () => {
  /** Creates the property for a client whose requests are changed before they reach the server. */
  const comparisonWith = (change: (url: string, init: RequestInit) => readonly [string, RequestInit]) => {
    const serve = (handler: Serve) => {
      const respond = handler as Serve & ((request: Request) => Promise<Response>)
      const fetch = (url: string, init: RequestInit) => respond(new Request(...change(url, init)))
      return { url: 'http://a.example', options: { fetch } }
    }
    return fc.asyncProperty(agreementCases, agreementCase => compareGraphs(agreementCase, serve, [{}]))
  }

  it('finds no difference if no request is changed', async () => {
    await fc.assert(
      comparisonWith((url, init) => [url, init]),
      propertySettings(40, 300),
    )
  })

  it.each<readonly [string, (url: string, init: RequestInit) => readonly [string, RequestInit]]>([
    [
      'absolute links',
      (url, init) => [url, { ...init, headers: { ...init.headers, 'kithgraph-links': 'absolute' } }],
    ],
    ['lost parameters', (url, init) => [url.replace('limit=', 'limited='), init]],
    ['lost proofs', (url, init) => [url.replace('appsecret_proof=', 'proof='), init]],
    ['node types that are not enforced', (url, init) => [url.replace('node_type=', 'type='), init]],
  ])('finds a difference if the requests are changed: %s', async (_name, change) => {
    const { failed } = await fc.check(comparisonWith(change), {
      ...propertySettings(1000),
      endOnFailure: true,
    })
    expect(failed).toBe(true)
  })
})
