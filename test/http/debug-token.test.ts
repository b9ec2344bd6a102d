import { createGraph, createStaticAuth, defineSchema, field, node } from 'kithgraph'
import { createAppIds } from 'kithgraph/app-ids'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { ADA, ENGINE, GRACE, NOW, SCOPES, worldStore } from '../helpers/world.ts'
import { jsonOf, ORIGIN, serveWorld } from './served-world.ts'

const APP = encodeURIComponent('demo|the secret of demo')
const OTHER = encodeURIComponent('other|the secret of other')
const SECOND = 1000

const clock = { now: NOW }
const { ask, read, send, graph, token } = await serveWorld({ graph: { now: () => clock.now } })

const inspect = async (input: string, caller: string) =>
  jsonOf(await send(`/debug_token?input_token=${input}&access_token=${caller}`))

const own = {
  app_id: 'demo',
  application: 'demo',
  type: 'USER',
  expires_at: 0,
  issued_at: NOW / SECOND,
  is_valid: true,
  scopes: SCOPES,
  user_id: ADA,
}

describe('debug_token', () => {
  it('tells a token of itself', async () => {
    expect(await inspect(token, token)).toEqual({ data: own })
    expect(await read(`/v1.0/debug_token/?input_token=${token}`)).toEqual({ data: own })
  })

  it('tells an app of its tokens', async () => {
    expect(await inspect(token, APP)).toEqual({ data: own })
    const page = await graph.tokens.issue({ viewer: ENGINE, app: 'demo', scopes: [], expiresIn: 60 * SECOND })
    expect((await inspect(page, APP)).data).toMatchObject({
      type: 'PAGE',
      user_id: ENGINE,
      expires_at: NOW / SECOND + 60,
      scopes: [],
    })
    expect((await inspect(APP, APP)).data).toMatchObject({ type: 'APP', app_id: 'demo', is_valid: true })
  })

  it('tells nobody else, and not whether there is such a token', async () => {
    const strangers = await graph.tokens.issue({ viewer: GRACE, app: 'demo', scopes: SCOPES })
    const refused = await inspect(token, OTHER)
    expect(refused.error.error_data).toMatchObject({ reason: 'bad_parameter', parameter: 'input_token' })
    const told = async (input: string, caller: string) => {
      const { error } = await inspect(input, caller)
      return { ...error, fbtrace_id: refused.error.fbtrace_id }
    }
    expect(await told(token, strangers)).toEqual(refused.error)
    expect(await told('nonsense', strangers)).toEqual(refused.error)
  })

  it('says of one that is not valid why, under `subcode`', async () => {
    const brief = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: ['email'], expiresIn: SECOND })
    clock.now += 2 * SECOND
    expect((await inspect(brief, APP)).data).toEqual({
      app_id: 'demo',
      application: 'demo',
      type: 'USER',
      error: { code: 190, message: 'Error validating access token: it has expired', subcode: 463 },
      expires_at: NOW / SECOND + 1,
      issued_at: NOW / SECOND,
      is_valid: false,
      scopes: ['email'],
      user_id: ADA,
    })
    clock.now = NOW
    const ended = await graph.tokens.issue({ viewer: ADA, app: 'demo' })
    await graph.tokens.revoke(ended)
    expect((await inspect(ended, APP)).data).toMatchObject({ is_valid: false, error: { subcode: 466 } })
  })

  it('says of one that nobody knows nothing but that', async () => {
    const { data } = await inspect('nonsense', APP)
    expect(data).toEqual({
      error: { code: 190, message: expect.any(String) },
      is_valid: false,
      scopes: [],
    })
  })

  it('does not wait for a store that says nothing', async () => {
    let isMute = false
    const mute = await serveWorld({
      graph: { limits: { deadline: 50 } },
      wrap: store => ({
        ...delegateStore(store, {}),
        read: (wave, options) => {
          // The read of the token that asks is answered still.
          if (isMute && options.deadline === undefined) return new Promise(() => undefined)
          return store.read(wave, options)
        },
      }),
    })
    isMute = true
    expect((await mute.read(`/debug_token?input_token=${mute.token}`)).error.error_data.reason).toBe(
      'deadline',
    )
  })

  it('needs a token to ask with, and one to ask about', async () => {
    expect(jsonOf(await send(`/debug_token?input_token=${token}`)).error.code).toBe(104)
    expect(jsonOf(await ask('/debug_token')).error.error_data.parameter).toBe('input_token')
  })

  it('reads no node, so that a hidden viewer and a deleted one give the same response', async () => {
    const named = { fields: { name: field.string({ default: true }) } }
    const schema = defineSchema(
      { user: node({ ...named, policy: [] }), page: node(named) },
      { versions: ['v1.0'] },
    )
    const store = countReads(createMemoryStore())
    const fixed = createStaticAuth({ 'a declared token': { viewer: '4', app: 'demo' } })
    const appSecrets = { demo: 'the secret of demo' }
    const hidden = createGraph(store, { schema, auth: fixed, appSecrets })
    await hidden.write([{ op: 'putNode', node: { id: '4', type: 'user', fields: { name: 'Ada' } } }])
    const token = await hidden.tokens.issue({ viewer: '4', app: 'demo' })
    const handler = createHandler(hidden)
    const told = async (input: string) => {
      const query = new URLSearchParams({ input_token: input, access_token: 'demo|the secret of demo' })
      return (await handler(new Request(`${ORIGIN}/debug_token?${query}`))).text()
    }
    store.clear()
    const before = [await told(token), await told('a declared token')]
    expect(JSON.parse(before[0] ?? '').data).toMatchObject({ type: 'USER', user_id: '4', is_valid: true })
    expect(store.reads.flatMap(({ wave }) => wave.nodes)).toEqual([])
    await hidden.write([{ op: 'deleteNode', id: '4' }])
    expect([await told(token), await told('a declared token')]).toEqual(before)
  })

  it('leaves out the type of a token without a record, and with appIds its viewer', async () => {
    const auth = createStaticAuth({ declared: { viewer: ADA, app: 'demo' } })
    const appIds = createAppIds({ secrets: { 1: 'a secret of sixteen' }, current: 1 })
    const scoped = { appIds, secret: 'the secret of the cursors' }
    for (const [options, user] of [
      [{}, { user_id: ADA }],
      [scoped, {}],
    ] as const) {
      const handler = createHandler(createGraph(await worldStore(), { auth, ...options }))
      const path = `${ORIGIN}/debug_token?input_token=declared&access_token=declared`
      expect(await (await handler(new Request(path))).json()).toEqual({
        data: {
          app_id: 'demo',
          application: 'demo',
          expires_at: 0,
          issued_at: 0,
          is_valid: true,
          scopes: [],
          ...user,
        },
      })
    }
  })

  it('tells of the viewer as the app knows it', async () => {
    const appIds = createAppIds({ secrets: { 1: 'a secret of sixteen' }, current: 1 })
    const scoped = createGraph(await worldStore(), { appIds, secret: 'the secret of the cursors' })
    const handler = createHandler(scoped)
    const mine = await scoped.tokens.issue({ viewer: ADA, app: 'demo' })
    const path = `${ORIGIN}/debug_token?input_token=${mine}&access_token=${mine}`
    const answer: unknown = await (await handler(new Request(path))).json()
    expect(answer).toHaveProperty('data.user_id', scoped.ids.toPublic(ADA, 'demo'))
  })

  it('tells no id of a viewer whose type is no longer declared, since it may have been scoped', async () => {
    const person = node({ appScoped: true, fields: { name: field.string({ default: true }) } })
    const both = defineSchema({ person, robot: person }, { versions: ['v1.0'] })
    const later = defineSchema({ person }, { versions: ['v1.0'] })
    const appIds = createAppIds({ secrets: { 1: 'a secret of sixteen' }, current: 1 })
    const store = createMemoryStore()
    const before = createGraph(store, { schema: both, appIds, secret: 'the secret of the cursors' })
    await before.write([{ op: 'putNode', node: { id: '987654321', type: 'robot', fields: { name: 'R' } } }])
    const input = await before.tokens.issue({ viewer: '987654321', app: 'demo' })
    const handler = createHandler(
      createGraph(store, { schema: later, appIds, secret: 'the secret of the cursors' }),
    )
    const path = `${ORIGIN}/debug_token?input_token=${input}&access_token=${input}`
    const text = await (await handler(new Request(path))).text()
    expect(jsonOf({ text }).data).toMatchObject({ app_id: 'demo', is_valid: true })
    expect(text).not.toContain('987654321')
  })
})

describe('permissions', () => {
  it('are what the token was granted', async () => {
    const granted = { data: SCOPES.map(permission => ({ permission, status: 'granted' })) }
    expect(await read('/me/permissions')).toEqual(granted)
    expect(await read(`/v1.0/${ADA}/permissions`)).toEqual(granted)
  })

  it('of others are as if they were not there', async () => {
    const reasons = [GRACE, '999', ENGINE].map(
      async id => (await read(`/${id}/permissions`)).error.error_data,
    )
    expect(await Promise.all(reasons)).toEqual(
      [GRACE, '999', ENGINE].map(id => ({ reason: 'node_missing', id })),
    )
    expect((await read('/x/permissions')).error.error_data.parameter).toBe('id')
  })

  it('need a viewer', async () => {
    expect(jsonOf(await send(`/me/permissions?access_token=${APP}`)).error.code).toBe(2500)
  })
})
