import {
  type Auth,
  createGraph,
  defineSchema,
  edge,
  field,
  fieldEquals,
  type GraphEvent,
  hasEdgeToViewer,
  node,
} from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { callUntyped, expectGraphError } from './expect-graph-error.ts'

const schema = defineSchema(
  {
    user: node({ fields: { name: field.string({ default: true }) } }),
    doc: node({
      policy: [fieldEquals('open', true), hasEdgeToViewer('readers')],
      fields: { open: field.bool(), text: field.string() },
      edges: { readers: edge('user') },
    }),
    shelf: node({ edges: { docs: edge('doc') } }),
  },
  { viewers: ['user'] },
)

const GRANT = { viewer: '1', app: 'demo', scopes: [] }
const HIDDEN = '20'
const SHELF = '10'

/** Opens a shelf with many hidden documents, of which every tenth is open. */
const openShelf = async ({ auth, scan }: { auth?: Auth; scan?: number } = {}) => {
  const events: GraphEvent[] = []
  const graph = createGraph(createMemoryStore(), {
    schema,
    auth,
    limits: { scan },
    secret: 'the secret of the shelf',
    onEvent: event => void events.push(event),
  })
  await graph.write([
    { op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } },
    { op: 'putNode', node: { id: SHELF, type: 'shelf', fields: {} } },
    ...Array.from({ length: 100 }, (_, index) => {
      const target = `${Number(HIDDEN) + index}`
      return [
        {
          op: 'putNode' as const,
          node: { id: target, type: 'doc' as const, fields: { open: index % 10 === 9, text: 'x' } },
        },
        {
          op: 'putEdge' as const,
          edge: { source: SHELF, name: 'docs' as const, target, time: 1000 - index },
        },
      ]
    }).flat(),
  ])
  const session = graph.session(GRANT)
  const admin = graph.session({ ...GRANT, bypassPolicies: true })
  return { graph, events, session, admin }
}

const { graph, session, admin } = await openShelf()

/** Copies the session with everything that a copy can have, also its symbols. */
const cloneWithSymbols = (original: object): object =>
  Object.create(Object.getPrototypeOf(original), Object.getOwnPropertyDescriptors(original))

describe('a session that bypasses policies', () => {
  const forgeries: readonly (readonly [name: string, forged: unknown])[] = [
    ['a copy', { ...admin }],
    ['a copy of its text', JSON.parse(JSON.stringify(admin))],
    ['a structured clone', structuredClone(admin)],
    ['a copy with its symbols', cloneWithSymbols(admin)],
    ['an object that inherits from it', Object.create(admin)],
    ['a proxy of it', new Proxy(admin, {})],
    ['a normal session with the option', { ...session, bypassPolicies: true }],
    ['an object with the members of a session and the option', { ...GRANT, bypassPolicies: true }],
  ]

  it.each(forgeries)('cannot be forged: %s is no session of the graph', async (_name, forged) => {
    await expect(callUntyped(graph.getNode, forged, { id: HIDDEN })).rejects.toThrow(TypeError)
    expect(await graph.getNode(admin, { id: HIDDEN })).toEqual({ id: HIDDEN })
  })

  it.each(forgeries)(
    'gives nothing to an Auth that returns %s as the session of a token',
    async (_name, forged) => {
      const forging = await openShelf({ auth: { authenticate: () => Object({ session: forged }) } })
      const outcome = await callUntyped(forging.graph.getNode, 'any token', { id: HIDDEN }).then(
        () => 'a hidden node',
        () => 'an error',
      )
      expect(outcome).toBe('an error')
      for (const event of forging.events) expect(event).not.toMatchObject({ bypassedPolicies: true })
    },
  )

  it('cannot be changed: neither does a normal session become one, nor does one become normal', () => {
    for (const name of ['bypassPolicies', 'viewer'])
      for (const one of [session, admin]) expect(Reflect.set(one, name, true)).toBe(false)
    for (const symbol of Object.getOwnPropertySymbols(admin)) {
      expect(Reflect.defineProperty(session, symbol, { value: true })).toBe(false)
      expect(Reflect.deleteProperty(admin, symbol)).toBe(false)
    }
  })
})

describe('a token', () => {
  it('of a session that bypasses policies has the policies of its viewer', async () => {
    const token = await graph.tokens.issue(GRANT)
    expect((await expectGraphError(graph.getNode(token, { id: HIDDEN }))).reason).toBe('node_not_found')
    await expect(callUntyped(graph.tokens.issue, { ...GRANT, bypassPolicies: true })).rejects.toThrow(
      TypeError,
    )
  })

  it('does not bypass policies over HTTP, whatever the request contains', async () => {
    const token = await graph.tokens.issue(GRANT)
    const handler = createHandler(graph)
    const send = async (path: string, init: RequestInit = {}) => {
      const headers = { authorization: `Bearer ${token}`, ...init.headers }
      const response = await handler(new Request(`http://graph.test${path}`, { ...init, headers }))
      return response.text()
    }
    const batch = JSON.stringify([
      { method: 'GET', relative_url: `${HIDDEN}?bypassPolicies=true&fields=text`, bypassPolicies: true },
    ])
    const form = new URLSearchParams({ batch, bypassPolicies: 'true' })
    const texts = await Promise.all([
      send(`/${HIDDEN}?fields=text&bypassPolicies=true&bypass_policies=1`),
      send(`/${HIDDEN}?fields=text`, { headers: { 'x-bypass-policies': 'true', bypasspolicies: 'true' } }),
      send(`/?ids=${HIDDEN}&fields=text&session=${encodeURIComponent(JSON.stringify(admin))}`),
      send(`/?bypassPolicies=true`, { method: 'POST', body: form }),
    ])
    for (const text of texts) expect(text).not.toContain('"text":"x"')
  })
})

describe('an encrypted cursor of a page that ended at the scan limit', () => {
  it('is rejected with the same error as a forged cursor by sessions of the other kind', async () => {
    const { graph, session, admin } = await openShelf({ scan: 20 })
    const call = { id: SHELF, type: 'shelf', edge: 'docs', fields: 'id', limit: 15 } as const
    const cursor = (await graph.getEdge(session, call)).paging?.cursors.after ?? ''
    expect(cursor).toContain('.')
    expect((await graph.getEdge(session, { ...call, after: cursor })).data.length).toBeGreaterThan(0)
    const reject = async (after: string) => {
      const { fbtrace_id: _, ...error } = (
        await expectGraphError(graph.getEdge(admin, { ...call, after }))
      ).toJSON().error
      return JSON.stringify(error).replaceAll(JSON.stringify(after), '"…"')
    }
    const forged = cursor.slice(0, -4) + (cursor.endsWith('AAAA') ? 'BBBB' : 'AAAA')
    expect(await reject(cursor)).toBe(await reject(forged))
  })
})

describe('what other sessions receive', () => {
  it('is the same after a session that bypasses policies: explain, debug messages, errors and denials', async () => {
    const { graph, events, session, admin } = await openShelf()
    const fields = 'docs.limit(3){text,readers{name}}'
    const read = async () => {
      events.length = 0
      const [node, hidden] = await Promise.all([
        graph.getNode(session, { id: SHELF, type: 'shelf', fields, debug: 'all' }),
        expectGraphError(graph.getNode(session, { id: HIDDEN, fields: 'text', debug: 'all' })),
      ])
      const { fbtrace_id: _, ...error } = hidden.toJSON().error
      const denials = events.flatMap(event => (event.kind === 'query' ? [event.denials] : []))
      return JSON.stringify([node, error, denials, graph.explain({ type: 'shelf', fields })])
    }
    const before = await read()
    expect(before).not.toContain('"id":"21"')
    await graph.getNode(admin, { id: SHELF, type: 'shelf', fields, debug: 'all' })
    await graph.getNode(admin, { id: HIDDEN, fields: 'text', debug: 'all' })
    expect(await read()).toBe(before)
  })

  it('does not change if calls of both kinds run at the same time', async () => {
    const { graph, session, admin } = await openShelf()
    const read = (one: typeof session) =>
      graph.getNode(one, { id: SHELF, type: 'shelf', fields: 'docs.limit(2){id}' })
    const results = await Promise.all([admin, session, admin, session, session, admin].map(read))
    const ids = results.map(({ docs }) => docs?.data.map(({ id }) => id).join())
    expect(ids).toEqual(['20,21', '29,39', '20,21', '29,39', '29,39', '20,21'])
  })
})
