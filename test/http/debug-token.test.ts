import { createGraph, createStaticAuth, defineSchema, field, node } from 'kithgraph'
import { createAppIds } from 'kithgraph/app-ids'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { ADA, createWorldStore, ENGINE, GRACE, NOW, SCOPES } from '../helpers/world.ts'
import { ORIGIN, parseJson, serveWorld } from './served-world.ts'

const APP = encodeURIComponent('demo|the secret of demo')
const OTHER = encodeURIComponent('other|the secret of other')
const SECOND = 1000

const clock = { now: NOW }
const { sendAsAda, read, send, graph, token } = await serveWorld({ graph: { now: () => clock.now } })

const requestDebugToken = async (input: string, caller: string) =>
  parseJson(await send(`/debug_token?input_token=${input}&access_token=${caller}`))

const own = {
  app_id: 'demo',
  application: 'demo',
  type: 'USER',
  expires_at: 0,
  issued_at: NOW / SECOND,
  is_valid: true,
  scopes: SCOPES,
  granular_scopes: SCOPES.map(scope => ({ scope })),
  user_id: ADA,
}

describe('debug_token', () => {
  it('describes a token to itself', async () => {
    expect(await requestDebugToken(token, token)).toEqual({ data: own })
    expect(await read(`/v1.0/debug_token/?input_token=${token}`)).toEqual({ data: own })
  })

  it('describes the tokens of an app to the app', async () => {
    expect(await requestDebugToken(token, APP)).toEqual({ data: own })
    const page = await graph.tokens.issue({
      viewer: ENGINE,
      app: 'demo',
      scopes: [],
      expiresInMs: 60 * SECOND,
    })
    expect((await requestDebugToken(page, APP)).data).toMatchObject({
      type: 'PAGE',
      user_id: ENGINE,
      expires_at: NOW / SECOND + 60,
      scopes: [],
    })
    expect((await requestDebugToken(APP, APP)).data).toMatchObject({
      type: 'APP',
      app_id: 'demo',
      is_valid: true,
    })
  })

  it('returns the same error to a caller that may not inspect the token, whether the token exists or not', async () => {
    const strangers = await graph.tokens.issue({ viewer: GRACE, app: 'demo', scopes: SCOPES })
    const rejected = await requestDebugToken(token, OTHER)
    expect(rejected.error.error_data).toMatchObject({ reason: 'invalid_parameter', parameter: 'input_token' })
    const readTokenInfo = async (input: string, caller: string) => {
      const { error } = await requestDebugToken(input, caller)
      return { ...error, fbtrace_id: rejected.error.fbtrace_id }
    }
    expect(await readTokenInfo(token, strangers)).toEqual(rejected.error)
    expect(await readTokenInfo('nonsense', strangers)).toEqual(rejected.error)
  })

  it('returns the reason why a token is not valid as `subcode`', async () => {
    const brief = await graph.tokens.issue({
      viewer: ADA,
      app: 'demo',
      scopes: ['email'],
      expiresInMs: SECOND,
    })
    clock.now += 2 * SECOND
    expect((await requestDebugToken(brief, APP)).data).toEqual({
      app_id: 'demo',
      application: 'demo',
      type: 'USER',
      error: { code: 190, message: 'Error validating access token: it has expired', subcode: 463 },
      expires_at: NOW / SECOND + 1,
      issued_at: NOW / SECOND,
      is_valid: false,
      scopes: ['email'],
      granular_scopes: [{ scope: 'email' }],
      user_id: ADA,
    })
    clock.now = NOW
    const ended = await graph.tokens.issue({ viewer: ADA, app: 'demo' })
    await graph.tokens.revoke(ended)
    expect((await requestDebugToken(ended, APP)).data).toMatchObject({
      is_valid: false,
      error: { subcode: 466 },
    })
  })

  it('returns nothing about an unknown token except that it is not valid', async () => {
    const { data } = await requestDebugToken('nonsense', APP)
    expect(data).toEqual({
      error: { code: 190, message: expect.any(String) },
      is_valid: false,
      scopes: [],
      granular_scopes: [],
    })
  })

  it('stops waiting after the time limit if the store does not respond', async () => {
    let isHanging = false
    const hanging = await serveWorld({
      graph: { limits: { timeoutMs: 50 } },
      wrap: store => ({
        ...delegateStore(store, {}),
        read: (request, options) => {
          // The read of the caller's token still gets a result.
          if (isHanging && options.deadline === undefined) return new Promise(() => undefined)
          return store.read(request, options)
        },
      }),
    })
    isHanging = true
    expect((await hanging.read(`/debug_token?input_token=${hanging.token}`)).error.error_data.reason).toBe(
      'timeout',
    )
  })

  it('needs the token of a caller and an input token', async () => {
    expect(parseJson(await send(`/debug_token?input_token=${token}`)).error.code).toBe(104)
    expect(parseJson(await sendAsAda('/debug_token')).error.error_data.parameter).toBe('input_token')
  })

  it('reads no node, so a hidden viewer and a deleted one have the same response', async () => {
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
    const readTokenInfo = async (input: string) => {
      const query = new URLSearchParams({ input_token: input, access_token: 'demo|the secret of demo' })
      return (await handler(new Request(`${ORIGIN}/debug_token?${query}`))).text()
    }
    store.clear()
    const before = [await readTokenInfo(token), await readTokenInfo('a declared token')]
    expect(JSON.parse(before[0] ?? '').data).toMatchObject({ type: 'USER', user_id: '4', is_valid: true })
    expect(store.reads.flatMap(({ request }) => request.nodes)).toEqual([])
    await hidden.write([{ op: 'deleteNode', id: '4' }])
    expect([await readTokenInfo(token), await readTokenInfo('a declared token')]).toEqual(before)
  })

  it('omits the type of a token of createStaticAuth, and with appIds also its viewer', async () => {
    const auth = createStaticAuth({ declared: { viewer: ADA, app: 'demo' } })
    const appIds = createAppIds({ secrets: { 1: 'a secret of sixteen' }, current: 1 })
    const scoped = { appIds, secret: 'the secret of the cursors' }
    for (const [options, user] of [
      [{}, { user_id: ADA }],
      [scoped, {}],
    ] as const) {
      const handler = createHandler(createGraph(await createWorldStore(), { auth, ...options }))
      const path = `${ORIGIN}/debug_token?input_token=declared&access_token=declared`
      expect(await (await handler(new Request(path))).json()).toEqual({
        data: {
          app_id: 'demo',
          application: 'demo',
          expires_at: 0,
          issued_at: 0,
          is_valid: true,
          scopes: [],
          granular_scopes: [],
          ...user,
        },
      })
    }
  })

  it('returns the app-scoped id of the viewer', async () => {
    const appIds = createAppIds({ secrets: { 1: 'a secret of sixteen' }, current: 1 })
    const scoped = createGraph(await createWorldStore(), { appIds, secret: 'the secret of the cursors' })
    const handler = createHandler(scoped)
    const mine = await scoped.tokens.issue({ viewer: ADA, app: 'demo' })
    const path = `${ORIGIN}/debug_token?input_token=${mine}&access_token=${mine}`
    const response: unknown = await (await handler(new Request(path))).json()
    expect(response).toHaveProperty('data.user_id', scoped.ids.toPublic(ADA, 'demo'))
  })

  it('omits the id of a viewer whose type is no longer declared, which may have been app-scoped', async () => {
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
    expect(parseJson({ text }).data).toMatchObject({ app_id: 'demo', is_valid: true })
    expect(text).not.toContain('987654321')
  })
})

describe('the permissions of a token', () => {
  it('are the scopes that the token was granted', async () => {
    const granted = { data: SCOPES.map(permission => ({ permission, status: 'granted' })) }
    expect(await read('/me/permissions')).toEqual(granted)
    expect(await read(`/v1.0/${ADA}/permissions`)).toEqual(granted)
  })

  it('are followed by the scopes that the viewer declined, which grant nothing', async () => {
    const input = await graph.tokens.issue({
      viewer: ADA,
      app: 'demo',
      scopes: ['user_posts'],
      declined: ['email', 'user_photos'],
    })
    const path = (name: string) => `/${name}&access_token=${input}`
    expect(parseJson(await send(path('me/permissions?'))).data).toEqual([
      { permission: 'user_posts', status: 'granted' },
      { permission: 'email', status: 'declined' },
      { permission: 'user_photos', status: 'declined' },
    ])
    expect(parseJson(await send(path('me?fields=email')))).toEqual({ id: ADA })
    const { data } = await requestDebugToken(input, input)
    expect([data.scopes, data.granular_scopes]).toEqual([['user_posts'], [{ scope: 'user_posts' }]])
  })

  it('are not found for any node but the viewer', async () => {
    const reasons = [GRACE, '999', ENGINE].map(
      async id => (await read(`/${id}/permissions`)).error.error_data,
    )
    expect(await Promise.all(reasons)).toEqual(
      [GRACE, '999', ENGINE].map(id => ({ reason: 'node_not_found', id })),
    )
    expect((await read('/x/permissions')).error.error_data.parameter).toBe('id')
  })

  it('need a token with a viewer', async () => {
    expect(parseJson(await send(`/me/permissions?access_token=${APP}`)).error.code).toBe(2500)
  })
})
