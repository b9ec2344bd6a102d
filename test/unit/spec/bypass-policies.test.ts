import {
  type Auth,
  type AuthResult,
  collection,
  createGraph,
  createStaticAuth,
  defineSchema,
  edge,
  field,
  fieldEquals,
  type GraphEvent,
  type GraphOptions,
  node,
  parameter,
} from 'kithgraph'
import { createJwtAuth } from 'kithgraph/jwt'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'
import { now, SECRET, signShared } from '../access/jwt-issuer.ts'

const schema = defineSchema(
  {
    user: node({ fields: { name: field.string({ default: true }) } }),
    shelf: node({
      fields: {
        name: field.string({ default: true }),
        code: field.string({ policy: [] }),
        price: field.string({ scope: 'prices' }),
      },
      edges: {
        docs: edge('doc', {
          fields: { rank: field.int() },
          parameters: { rank: parameter.int() },
          where: ({ data }, { rank }) => rank === undefined || data.rank === rank,
        }),
        drafts: edge('doc', { policy: [] }),
        found: edge('doc', {
          resolve: sources =>
            sources.map(() => ({ entries: [{ id: '20', position: 'a' }], hasMore: false, total: 7 })),
        }),
      },
    }),
    doc: node({ policy: [fieldEquals('open', true)], fields: { open: field.bool() } }),
  },
  {
    viewers: ['user'],
    collections: { all: collection('doc'), hidden: collection('shelf', { policy: [] }) },
  },
)

const openShelf = async (options: Omit<GraphOptions, 'schema'> = {}) => {
  const events: GraphEvent[] = []
  const graph = createGraph(createMemoryStore(), {
    ...options,
    schema,
    onEvent: event => void events.push(event),
  })
  await graph.write([
    { op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } },
    { op: 'putNode', node: { id: '10', type: 'shelf', fields: { name: 'A', code: 'x', price: '5' } } },
    { op: 'putNode', node: { id: '20', type: 'doc', fields: { open: false } } },
    { op: 'putNode', node: { id: '21', type: 'doc', fields: { open: true } } },
    { op: 'putEdge', edge: { source: '10', name: 'docs', target: '20', time: 2, data: { rank: 1 } } },
    { op: 'putEdge', edge: { source: '10', name: 'docs', target: '21', time: 1, data: { rank: 2 } } },
    { op: 'putEdge', edge: { source: '10', name: 'drafts', target: '21' } },
  ])
  const grant = { viewer: '1', app: 'demo' }
  return {
    graph,
    events,
    session: graph.session(grant),
    admin: graph.session({ ...grant, bypassPolicies: true }),
  }
}

type Shelf = Awaited<ReturnType<typeof openShelf>>

const readDocs = async ({ graph }: Shelf, session: Parameters<Shelf['graph']['getMe']>[0]) =>
  (await graph.getEdge(session, { id: '10', type: 'shelf', edge: 'docs' })).data.map(({ id }) => id)

describe('a session with bypassPolicies', () => {
  it('skips the policies of nodes, edges, fields and collections', async () => {
    const { graph, session, admin } = await openShelf()
    const fields = 'code,docs{id},drafts{id}'
    const seen = await graph.getNode(admin, { id: '10', type: 'shelf', fields })
    expect(seen).toMatchObject({
      code: 'x',
      docs: { data: [{ id: '20' }, { id: '21' }] },
      drafts: { data: [{ id: '21' }] },
    })
    expect(await graph.getNode(session, { id: '10', type: 'shelf', fields })).toMatchObject({
      docs: { data: [{ id: '21' }] },
      drafts: { data: [] },
    })
    expect(await graph.getNode(admin, { id: '20' })).toEqual({ id: '20' })
    expect(await graph.hasEdge(admin, { id: '10', edge: 'docs', target: '20' })).toBe(true)
    for (const edge of ['all', 'hidden'] as const) {
      const { summary } = await graph.getEdge(admin, { id: 'root', edge, summary: true })
      expect(summary?.total_count, edge).toBe(edge === 'all' ? 2 : 1)
    }
  })

  it('receives the total of a computed edge, because no entry is hidden', async () => {
    const { graph, session, admin } = await openShelf()
    const call = { id: '10', type: 'shelf', edge: 'found', summary: true } as const
    expect((await graph.getEdge(admin, call)).summary).toEqual({
      order: 'reverse_chronological',
      total_count: 7,
    })
    expect((await graph.getEdge(admin, { ...call, limit: 0 })).summary?.total_count).toBe(7)
    expect((await graph.getEdge(session, call)).summary).toBeUndefined()
  })

  it('keeps scopes, filters, costs and the scan limit', async () => {
    const { graph, admin } = await openShelf({ limits: { scan: 1, cost: 40 } })
    const shelf = { id: '10', type: 'shelf' } as const
    expect(await graph.getNode(admin, { ...shelf, fields: 'price' })).toEqual({ id: '10' })
    const filtered = await graph.getEdge(admin, { ...shelf, edge: 'docs', limit: 1, parameters: { rank: 1 } })
    expect(filtered.data).toEqual([{ id: '20' }])
    const fields = 'docs.limit(30)'
    expect(graph.explain({ type: 'shelf', fields }).cost).toBeGreaterThan(40)
    for (const call of [fields, 'docs.limit(2)'])
      expect((await expectGraphError(graph.getNode(admin, { ...shelf, fields: call }))).reason).toBe(
        'query_too_expensive',
      )
  })

  it('does not change what other sessions see, also with the same expression', async () => {
    const shelf = await openShelf()
    for (const session of [shelf.admin, shelf.session, shelf.admin, shelf.session])
      expect(await readDocs(shelf, session)).toEqual(session === shelf.admin ? ['20', '21'] : ['21'])
  })

  it('marks the event of each of its calls, also of a call that fails', async () => {
    const { graph, session, admin, events } = await openShelf()
    await graph.getMe(admin)
    await graph.hasEdge(admin, { id: '10', edge: 'docs', target: '20' })
    await expectGraphError(graph.getNode(admin, { id: '99' }))
    await graph.getMe(session)
    const marks = events.flatMap(event => (event.kind === 'query' ? [event.bypassedPolicies] : []))
    expect(marks).toEqual([true, true, true, false])
  })

  it('has the members of every session, so that no copy of it bypasses policies', async () => {
    const { graph, session, admin } = await openShelf()
    expect(Object.keys(admin)).toEqual(Object.keys(session))
    const { viewer, app, scopes } = admin
    const copy = graph.session({ viewer, app, scopes })
    expect((await expectGraphError(graph.getNode(copy, { id: '20' }))).reason).toBe('node_not_found')
  })

  it('is accepted only by the graph that created it', async () => {
    const { graph } = await openShelf()
    const { admin } = await openShelf()
    await expect(callUntyped(graph.getMe, admin)).rejects.toThrow(TypeError)
  })

  it('is not created for a value that is not a boolean', async () => {
    const { graph } = await openShelf()
    for (const bypassPolicies of ['true', 1, null])
      await expect(callUntyped(graph.session, { app: 'demo', bypassPolicies })).rejects.toThrow(
        'session: "bypassPolicies" must be a boolean',
      )
  })
})

describe('a token', () => {
  /** Reads the hidden document with a token that an `Auth` accepts. */
  const readHidden = async (auth: Auth, token: string) => {
    const { graph } = await openShelf({ auth })
    return (await expectGraphError(graph.getNode(token, { id: '20' }))).reason
  }

  it('never bypasses policies, even if an Auth returns bypassPolicies', async () => {
    const session = {
      viewer: '1',
      app: 'demo',
      scopes: [],
      issuedAt: 0,
      expiresAt: undefined,
      bypassPolicies: true,
    }
    expect(await readHidden({ authenticate: () => ({ session }) }, 'any')).toBe('node_not_found')
  })

  it('never bypasses policies, even if an Auth returns a session of the graph that does', async () => {
    let result: AuthResult | undefined
    const shelf = await openShelf({ auth: { authenticate: () => result } })
    result = { session: shelf.admin }
    expect(await readDocs(shelf, 'any')).toEqual(['21'])
    expect(shelf.events.at(-1)).toMatchObject({ kind: 'query', bypassedPolicies: false })
  })

  it('never bypasses policies, even if a JWT claims bypassPolicies or its grant returns it', async () => {
    const jwt = await signShared({ bypassPolicies: true, bypass_policies: true, scope: 'bypassPolicies' })
    const options = { secret: SECRET, now }
    expect(await readHidden(createJwtAuth(options), jwt)).toBe('node_not_found')
    const grant = () => Object.assign({ viewer: '1', app: 'demo' }, { bypassPolicies: true })
    expect(await readHidden(createJwtAuth({ ...options, grant }), jwt)).toBe('node_not_found')
  })

  it('cannot be declared with bypassPolicies', async () => {
    const declared = { secret: { app: 'demo', bypassPolicies: true } }
    await expect(callUntyped(createStaticAuth, declared)).rejects.toThrow('received "bypassPolicies"')
  })
})

describe('a cursor', () => {
  it('is valid only for sessions that bypass policies if such a session received it, and only for others if not', async () => {
    const { graph, session, admin } = await openShelf()
    for (const [own, other] of [
      [admin, session],
      [session, admin],
    ] as const) {
      const page = { id: '10', type: 'shelf', edge: 'docs', limit: 1 } as const
      const after = (await graph.getEdge(own, page)).paging?.cursors.after ?? ''
      await graph.getEdge(own, { ...page, after })
      const error = await expectGraphError(graph.getEdge(other, { ...page, after }))
      expect([error.reason, error.data?.parameter]).toEqual(['invalid_parameter', 'after'])
      const fields = `docs.limit(1).after(${after})`
      await graph.getNode(own, { id: '10', fields })
      expect((await expectGraphError(graph.getNode(other, { id: '10', fields }))).reason).toBe(
        'invalid_parameter',
      )
    }
  })
})

describe('the policy null in an extension', () => {
  it('removes the policy of the type, and an absent policy keeps it', async () => {
    const { types } = schema.extend({ doc: { policy: null } })
    expect(types.doc.policy).toBeUndefined()
    expect(schema.extend({ doc: { policy: undefined, description: 'x' } }).types.doc.policy).toHaveLength(1)
    const graph = createGraph(createMemoryStore(), { schema: schema.extend({ doc: { policy: null } }) })
    await graph.write([{ op: 'putNode', node: { id: '20', type: 'doc', fields: { open: false } } }])
    expect(await graph.getNode(graph.session({ app: 'demo' }), { id: '20' })).toEqual({ id: '20' })
  })
})
