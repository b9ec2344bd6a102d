import {
  collection,
  createGraph,
  createStaticAuth,
  defineSchema,
  edge,
  field,
  type Graph,
  type GraphOptions,
  node,
} from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { update, updateEdge } from 'kithgraph/update'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/base/json.ts'
import type { Session } from '../../../src/base/session.ts'
import type { StoreReadOptions, StoreWriteOptions } from '../../../src/store/contract.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { createTenantStore, readsData, type TenantStore } from '../../helpers/tenant-store.ts'
import { expectGraphError } from '../abuse/expect-graph-error.ts'

const schema = defineSchema(
  {
    user: node({
      fields: { name: field.string({ default: true }) },
      edges: { follows: edge('user', { fields: { since: field.string() } }) },
    }),
  },
  { collections: { users: collection('user') } },
)
const plainSchema = defineSchema({ user: schema.types.user })

const claimsOf = (organization: string) => ({ org_id: organization })
const NORTH = { viewer: '4', app: 'demo', claims: claimsOf('north') }
const SOUTH = { ...NORTH, claims: claimsOf('south') }

const putUser = (id: string, name: string) =>
  ({ op: 'putNode', node: { id, type: 'user', fields: { name } } }) as const
const FOLLOWS = { source: '4', name: 'follows', target: '5' } as const

const auth = createStaticAuth({ 'static north': NORTH, 'static south': SOUTH })

/** Opens a graph with people of two organizations, who have the same ids. */
const openTenants = async (options: Omit<GraphOptions, 'schema'> = {}, store = createTenantStore()) => {
  for (const organization of ['north', 'south'])
    store.tenant(organization).write([
      { op: 'putNode', node: { id: '4', type: 'user', fields: { name: `Ada of ${organization}` } } },
      { op: 'putNode', node: { id: '5', type: 'user', fields: { name: `Grace of ${organization}` } } },
    ])
  const graph = createGraph(store, { auth, ...options, schema: plainSchema })
  return { store, graph, north: graph.session(NORTH), south: graph.session(SOUTH) }
}

/** Returns the reads of a store in short: their parts, and the organization of the session. */
const summarizeReads = ({ reads }: TenantStore, first = 0): readonly string[] =>
  reads.slice(first).map(({ request, session, isOfSnapshot }) => {
    const parts = [
      ...(request.tokens.length > 0 ? ['tokens'] : []),
      ...(request.nodes.length > 0 ? ['nodes'] : []),
      ...(request.ranges.length > 0 ? ['ranges'] : []),
      ...(request.checks.length > 0 ? ['checks'] : []),
      ...(request.flags ? ['flags'] : []),
    ]
    return `${isOfSnapshot ? 'snapshot: ' : ''}${parts.join('+')} ${session?.claims?.org_id ?? 'no session'}`
  })

describe('a store that reads by session', () => {
  it('reads the record of the token alone, and then the data for the session', async () => {
    const { store, graph } = await openTenants()
    const token = await graph.tokens.issue(SOUTH)
    const first = store.reads.length
    expect(await graph.getNode(token, { id: '5' })).toEqual({ id: '5', name: 'Grace of south' })
    expect(summarizeReads(store, first)).toEqual(['tokens no session', 'nodes south'])
  })

  it('reads no token if the token has no record, or for a session', async () => {
    const { store, graph, north } = await openTenants()
    await graph.getNode('static south', { id: '5' })
    await graph.getNode(north, { id: '5' })
    expect(summarizeReads(store)).toEqual(['nodes south', 'nodes north'])
  })

  it('reads no data for a token or proof of possession that is not accepted, in any method', async () => {
    const clock = { now: 1000 }
    const appSecrets = { demo: 'the secret of the app' }
    const { store, graph } = await openTenants({ appSecrets, now: () => clock.now })
    const revoked = await graph.tokens.issue(NORTH)
    const expired = await graph.tokens.issue({ ...NORTH, expiresInMs: 1 })
    const valid = await graph.tokens.issue(NORTH)
    await graph.tokens.revoke(revoked)
    clock.now++
    const first = store.reads.length
    for (const token of [revoked, expired, 'unknown', `${valid}x`, 'demo|wrong', ''])
      for (const call of [
        () => graph.getMe(token),
        () => graph.getNode(token, { id: '4' }),
        () => graph.getNodes(token, { ids: ['4', '5'] }),
        () => graph.getEdge(token, { id: '4', edge: 'follows' }),
        () => graph.hasEdge(token, { id: '4', edge: 'follows', target: '5' }),
      ])
        await expectGraphError(call())
    await expectGraphError(graph.getNode(valid, { id: '4', proof: '00' }))
    expect(store.reads.slice(first).filter(({ request }) => readsData(request))).toEqual([])
    expect(store.violations).toEqual([])
  })

  it('reports an invalid option after the error of the token', async () => {
    const { graph } = await openTenants()
    const call = { id: '4', fields: 'nonsense' }
    await expect(graph.getNode('unknown', call as never)).rejects.toMatchObject({ reason: 'token_invalid' })
    await expect(graph.getNode('static north', call as never)).rejects.toMatchObject({
      reason: 'field_not_found',
    })
  })

  it('receives a frozen copy of the session, which the graph does not accept', async () => {
    const { store, graph } = await openTenants()
    const session = graph.session({ ...NORTH, scopes: ['email'], bypassPolicies: true })
    await graph.getMe(session)
    const received = store.reads[0]?.session ?? expect.fail()
    expect(received).toEqual(session)
    expect(received).not.toBe(session)
    expect(Object.getOwnPropertySymbols(received)).toEqual([])
    for (const part of [received, received.scopes, received.claims]) expect(Object.isFrozen(part)).toBe(true)
    await expect(graph.getMe(received)).rejects.toThrow(TypeError)
    await expect(graph.write([], { session: received })).rejects.toThrow(TypeError)
  })

  it('takes the snapshot of a call for its session, after the token is accepted', async () => {
    const { store, graph, north } = await openTenants({ consistency: 'snapshot' })
    const token = await graph.tokens.issue(SOUTH)
    const first = store.reads.length
    expect(await graph.getMe(token)).toMatchObject({ name: 'Ada of south' })
    expect(await graph.getMe(north)).toMatchObject({ name: 'Ada of north' })
    await expectGraphError(graph.getMe('unknown'))
    expect(summarizeReads(store, first)).toEqual([
      'tokens no session',
      'snapshot: nodes south',
      'snapshot: nodes north',
    ])
    expect(store.violations).toEqual([])
  })

  it('takes no snapshot for a token that is not accepted, and closes each snapshot', async () => {
    const tenants = createTenantStore()
    const counts = { taken: 0, open: 0 }
    const store = delegateStore(tenants, {
      snapshot: async options => {
        const snapshot = await tenants.snapshot(options)
        counts.taken++
        counts.open++
        return {
          read: (request, readOptions) => snapshot.read(request, readOptions),
          close: () => {
            counts.open--
          },
        }
      },
    })
    const { graph } = await openTenants({ consistency: 'snapshot' }, { ...tenants, ...store })
    await expectGraphError(graph.getMe('unknown'))
    expect(counts).toEqual({ taken: 0, open: 0 })
    await graph.getMe('static north')
    await expectGraphError(graph.getNode('static north', { id: '999' }))
    expect(counts).toEqual({ taken: 2, open: 0 })
  })

  it('reads the viewer of a new token for the session of the token', async () => {
    const { store, graph } = await openTenants()
    store.tenant('north').write([{ op: 'deleteNode', id: '4' }])
    const { reason } = await expectGraphError(graph.tokens.issue(NORTH))
    expect(reason).toBe('invalid_parameter')
    await graph.tokens.issue(SOUTH)
    await graph.tokens.issue({ app: 'demo' })
    expect(store.violations).toEqual([])
  })

  it('keeps the sessions of one HTTP batch apart', async () => {
    const { store, graph } = await openTenants()
    const handler = createHandler(graph)
    const items = ['static north', 'static south', 'unknown', 'static north'].map(token => ({
      method: 'GET',
      relative_url: `4?access_token=${encodeURIComponent(token)}`,
    }))
    const body = new URLSearchParams({ batch: JSON.stringify(items), access_token: 'static south' })
    const response = await handler(new Request('http://localhost/', { method: 'POST', body }))
    const parts = JSON.parse(await response.text())
    expect(parts.map((part: { body: string }) => JSON.parse(part.body).name)).toEqual([
      'Ada of north',
      'Ada of south',
      undefined,
      'Ada of north',
    ])
    expect(store.violations).toEqual([])
  })
})

describe('a write by session', () => {
  it('reads and writes the data of the session', async () => {
    const { store, graph, north } = await openTenants()
    const edges = [{ op: 'putEdge', edge: FOLLOWS }] as const
    await graph.write([putUser('5', 'Grace Hopper'), ...edges], { session: north, id: 'one' })
    await graph.load([{ node: { id: '6', type: 'user', fields: { name: 'Alan' } } }], { session: north })
    await update(graph, { type: 'user', id: '4', session: north }, draft => {
      draft.name = `${draft.name}, countess`
    })
    await updateEdge(graph, { ...FOLLOWS, session: north }, draft => {
      draft.since = '1843'
    })
    expect(await graph.getNode(north, { id: '4', fields: 'name,follows{name,since}' })).toMatchObject({
      name: 'Ada of north, countess',
      follows: { data: [{ name: 'Grace Hopper', since: '1843' }] },
    })
    expect(await graph.getNode(north, { id: '6' })).toEqual({ id: '6', name: 'Alan' })
    expect([...store.tenant('south').dump()]).toHaveLength(2)
    expect(store.violations).toEqual([])
  })

  it('is rejected for anything but a session of the graph, and an error never shows a token', async () => {
    const { graph, north } = await openTenants()
    const other = createGraph(createMemoryStore()).session(NORTH)
    const received = 'an object with viewer, app, scopes, issuedAt, expiresAt, claims'
    const wrongSessions = [
      [other, received],
      [{ ...north }, received],
      ['static north', 'a string'],
      [null, 'null'],
      [4, '4'],
    ] as const
    const writes = [
      ['write', (options: object) => graph.write([], options)],
      ['load', (options: object) => graph.load([], options)],
      ['update', (options: object) => update(graph, { type: 'user', id: '4', ...options }, () => undefined)],
      ['updateEdge', (options: object) => updateEdge(graph, { ...FOLLOWS, ...options }, () => undefined)],
    ] as const
    for (const [session, description] of wrongSessions)
      for (const [name, write] of writes)
        await expect(write({ session })).rejects.toThrow(
          new TypeError(`${name}: "session" must be a session of this graph; received ${description}`),
        )
  })

  it('without a session has no session in its reads either', async () => {
    const { store, graph } = await openTenants()
    await expectGraphError(graph.write([putUser('7', 'Tim')]))
    expect(store.violations).toEqual(['a read of data without a session'])
  })
})

describe('the lists of derived entries in a store that reads by session', () => {
  const openEmpty = () => {
    const store = createTenantStore()
    const graph = createGraph(store, { schema })
    return { store, graph, north: graph.session(NORTH), south: graph.session(SOUTH) }
  }
  const readUsers = (graph: Graph<typeof schema>, session: Session) =>
    graph.getEdge(session, { id: 'root', edge: 'users', fields: 'name' })

  it('are complete in each session whose first write was into an empty store', async () => {
    const { store, graph, north, south } = openEmpty()
    await graph.write([putUser('4', 'Ada')], { session: north })
    await graph.write([putUser('5', 'Grace')], { session: south })
    expect((await readUsers(graph, north)).data).toEqual([{ id: '4', name: 'Ada' }])
    expect((await readUsers(graph, south)).data).toEqual([{ id: '5', name: 'Grace' }])
    expect(store.violations).toEqual([])
  })

  it('are not complete in a session because they are complete in another', async () => {
    const { store, graph, north, south } = openEmpty()
    store.tenant('south').write([putUser('5', 'Grace')])
    await graph.write([putUser('4', 'Ada')], { session: north })
    await graph.write([putUser('6', 'Alan')], { session: south })
    await readUsers(graph, north)
    const { reason, message } = await expectGraphError(readUsers(graph, south))
    expect([reason, message]).toEqual(['store_error', expect.stringContaining('completely')])
    expect((await readUsers(graph, north)).data).toHaveLength(1)
  })
})

describe('an encrypted cursor', () => {
  const ranked = defineSchema(
    { user: node({ fields: { rank: field.int({ required: true }) } }) },
    { collections: { users: collection('user', { by: 'rank' }) } },
  )
  const putRanked = (id: string, rank: number) =>
    ({ op: 'putNode', node: { id, type: 'user', fields: { rank } } }) as const

  it('is valid only with equal claims, so that the data of one organization reveals no position in another', async () => {
    const graph = createGraph(createTenantStore(), { schema: ranked })
    const sessionOf = (claims: JsonObject) => graph.session({ ...NORTH, claims })
    const north = sessionOf({ org_id: 'north', plan: { free: true, trial: false } })
    const south = sessionOf({ org_id: 'south', plan: { free: true, trial: false } })
    await graph.write([putRanked('4', 10), putRanked('5', 30)], { session: north })
    await graph.write([putRanked('4', 20)], { session: south })
    const read = (session: Session, after?: string) =>
      graph.getEdge(session, { id: 'root', edge: 'users', limit: 1, fields: 'id', after })
    const after = (await read(north)).paging?.cursors.after
    expect(await expectGraphError(read(south, after))).toMatchObject({ reason: 'invalid_parameter' })
    expect(await expectGraphError(read(graph.session({ viewer: '4', app: 'demo' }), after))).toMatchObject({
      reason: 'invalid_parameter',
    })
    const again = sessionOf({ plan: { trial: false, free: true }, org_id: 'north' })
    expect((await read(again, after)).data).toEqual([{ id: '4' }])
  })
})

describe('a store that does not read by session', () => {
  it('receives no session in reads, writes and snapshots', async () => {
    const memory = createMemoryStore()
    const received: (StoreReadOptions | StoreWriteOptions | object | undefined)[] = []
    const watch = <TOptions extends object | undefined>(options: TOptions): TOptions => {
      received.push(options)
      return options
    }
    const store = delegateStore(memory, {
      read: (request, options) => memory.read(request, watch(options)),
      write: (mutations, options) => memory.write(mutations, watch(options)),
      snapshot: options => {
        watch(options)
        return memory.snapshot()
      },
    })
    for (const consistency of ['read', 'snapshot'] as const) {
      const graph = createGraph(store, { consistency })
      const session = graph.session(NORTH)
      await graph.write([putUser('4', 'Ada')], { session })
      await graph.getMe(session)
      await graph.getMe(await graph.tokens.issue(NORTH))
    }
    expect(received.length).toBeGreaterThan(8)
    expect(received.filter(options => options !== undefined && 'session' in options)).toEqual([])
  })

  it('is rejected if its capability bySession is not a boolean', () => {
    const memory = createMemoryStore()
    const capabilities = { ...memory.capabilities, bySession: JSON.parse('"yes"') }
    expect(() => createGraph(delegateStore(memory, { capabilities }))).toThrow(
      'received an object without a boolean capabilities.bySession',
    )
  })
})
