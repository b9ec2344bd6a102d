import { createGraph } from 'kithgraph'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { engineOf } from '../../../src/execute/engine.ts'
import type { Store } from '../../../src/store/contract.ts'
import { ADA, createWorldStore, ENGINE, GRACE, NOW } from '../../helpers/world.ts'
import { expectGraphError } from '../abuse/expect-graph-error.ts'
import { catchReason, openClockedWorld } from './clocked-world.ts'

const MINUTE = 60_000
const NO_SIGNAL = { signal: undefined }

describe('a token', () => {
  it('expires exactly expiresInMs milliseconds after its issue', async () => {
    const { clock, graph, issue } = await openClockedWorld()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [], expiresInMs: MINUTE })
    clock.now += MINUTE - 1
    expect(await graph.getMe(token)).toMatchObject({ id: ADA })
    clock.now += 1
    expect(await expectGraphError(graph.getMe(token))).toMatchObject({
      code: 190,
      subcode: 463,
      reason: 'token_expired',
    })
  })

  it('never expires without expiresInMs', async () => {
    const { clock, graph, issue } = await openClockedWorld()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    clock.now += 1e12
    expect(await graph.getMe(token)).toMatchObject({ id: ADA })
  })

  it('is rejected by the next read after its revocation', async () => {
    const { graph, issue, revoke } = await openClockedWorld()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    expect(await graph.getMe(token)).toMatchObject({ id: ADA })
    await revoke(token)
    expect(await expectGraphError(graph.getMe(token))).toMatchObject({
      code: 190,
      subcode: 466,
      reason: 'token_revoked',
    })
  })

  it('is revoked for every graph that shares the store', async () => {
    const { store, graph, issue } = await openClockedWorld()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    await createGraph(store).tokens.revoke(token)
    expect(await catchReason(graph.getMe(token))).toBe('token_revoked')
  })

  it('stays valid if another token of its viewer is revoked', async () => {
    const { graph, issue, revoke } = await openClockedWorld()
    const [first, second] = await Promise.all(
      [1, 2].map(() => issue({ viewer: ADA, app: 'demo', scopes: [] })),
    )
    await revoke(first ?? '')
    expect(await graph.getMe(second ?? '')).toMatchObject({ id: ADA })
  })
})

describe('tokens.revokeAll', () => {
  it('revokes all tokens of the viewer and no others', async () => {
    const { graph, issue, revokeAll } = await openClockedWorld()
    const mine = await Promise.all(['demo', 'other'].map(app => issue({ viewer: ADA, app, scopes: [] })))
    const hers = await issue({ viewer: GRACE, app: 'demo', scopes: [] })
    const apps = await issue({ viewer: undefined, app: 'demo', scopes: [] })
    await revokeAll({ viewer: ADA })
    for (const token of mine) expect(await catchReason(graph.getMe(token))).toBe('token_revoked')
    expect(await graph.getMe(hers)).toMatchObject({ id: GRACE })
    expect(await graph.getNode(apps, { id: ADA })).toMatchObject({ id: ADA })
  })

  it('does not revoke a token that is issued right after it', async () => {
    const { graph, issue, revokeAll } = await openClockedWorld()
    const old = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    await revokeAll({ viewer: ADA })
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    expect(await graph.getMe(token)).toMatchObject({ id: ADA })
    expect(await catchReason(graph.getMe(old))).toBe('token_revoked')
  })

  it('revokes a token that was issued after another revokeAll in the same millisecond', async () => {
    const { graph, issue, revokeAll } = await openClockedWorld()
    await revokeAll({ viewer: ADA })
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    await revokeAll({ viewer: ADA })
    expect(await catchReason(graph.getMe(token))).toBe('token_revoked')
  })

  it('revokes earlier tokens and no later ones, even if the clocks of two graphs differ', async () => {
    for (const [ahead, behind] of [
      [2000, 0],
      [0, 2000],
    ] as const) {
      const store = await createWorldStore()
      const early = createGraph(store, { now: () => NOW + ahead })
      const late = createGraph(store, { now: () => NOW + behind })
      const before = await early.tokens.issue({ viewer: ADA, app: 'demo' })
      await late.tokens.revokeAll({ viewer: ADA })
      const after = await early.tokens.issue({ viewer: ADA, app: 'demo' })
      const other = await late.tokens.issue({ viewer: ADA, app: 'demo' })
      for (const graph of [early, late]) {
        expect(await catchReason(graph.getMe(before))).toBe('token_revoked')
        expect(await graph.getMe(after)).toMatchObject({ id: ADA })
        expect(await graph.getMe(other)).toMatchObject({ id: ADA })
      }
    }
  })

  it('revokes a token whose issue began before it and ended after it', async () => {
    const store = await createWorldStore()
    const held: (() => void)[] = []
    const slow: Store = {
      ...store,
      write: async (mutations, options) => {
        await new Promise<void>(resolve => held.push(resolve))
        return store.write(mutations, options)
      },
    }
    const issuing = createGraph(slow).tokens.issue({ viewer: ADA, app: 'demo' })
    const graph = createGraph(store)
    await expect.poll(() => held.length).toBe(1)
    await graph.tokens.revokeAll({ viewer: ADA })
    for (const release of held) release()
    // The generation of the token was read before the revocation, but its record was written after the
    // revocation.
    expect(await catchReason(graph.getMe(await issuing))).toBe('token_revoked')
  })

  it('revokes an earlier token and no later one if it is called twice at once', async () => {
    const { graph, issue, revokeAll } = await openClockedWorld()
    const before = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    await Promise.all([revokeAll({ viewer: ADA }), revokeAll({ viewer: ADA })])
    expect(await catchReason(graph.getMe(before))).toBe('token_revoked')
    expect(await graph.getMe(await issue({ viewer: ADA, app: 'demo', scopes: [] }))).toMatchObject({
      id: ADA,
    })
  })

  it('revokes earlier tokens and no later ones if its stored record has an old format', async () => {
    const { store, graph, issue } = await openClockedWorld()
    const first = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    const [tokenDigest = '', familyDigest = ''] = engineOf('test', graph).auth.start(first).digests
    const old = { viewer: ADA, app: '', scopes: [], issuedAt: NOW, expiresAt: undefined, revokedAt: NOW }
    const put = async (digest: string, token: object) =>
      store.write([{ op: 'putToken', digest, token: JSON.parse(JSON.stringify(token)) }], NO_SIGNAL)
    await put(familyDigest, old)
    expect(await catchReason(graph.getMe(first))).toBe('token_revoked')
    const second = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    expect(await graph.getMe(second)).toMatchObject({ id: ADA })
    await put(tokenDigest, { ...old, app: 'demo', revokedAt: undefined })
    expect(await catchReason(graph.getMe(first))).toBe('token_invalid')
  })
})

describe('the revocation of tokens', () => {
  it('is read together with the token, without a store read of its own', async () => {
    const store = countReads(await createWorldStore())
    const graph = createGraph(store)
    const token = await graph.tokens.issue({ viewer: ADA, app: 'demo' })
    expect(store.reads).toHaveLength(1)
    expect(store.reads[0]).toMatchObject({ request: { nodes: [ADA] } })
    expect(store.reads[0]?.request.tokens).toHaveLength(1)
    await graph.tokens.revokeAll({ viewer: ADA })
    expect(store.reads).toHaveLength(1)
    expect(await catchReason(graph.getNode(token, { id: ADA }))).toBe('token_revoked')
    expect(store.reads).toHaveLength(2)
    expect(store.reads[1]?.request.tokens).toHaveLength(2)
    await graph.tokens.inspect(token)
    expect(store.reads).toHaveLength(3)
    expect(store.reads[2]?.request.nodes).toEqual([])
  })

  it('may be repeated without an error', async () => {
    const { graph, issue, revoke } = await openClockedWorld()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    await revoke(token)
    await revoke(token)
    await revoke('no such token')
    expect(await catchReason(graph.getMe(token))).toBe('token_revoked')
  })
})

describe('tokens.inspect', () => {
  it('describes a valid token', async () => {
    const { issue, inspect } = await openClockedWorld()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: ['email'], expiresInMs: MINUTE })
    expect(await inspect(token)).toEqual({
      valid: true,
      failure: undefined,
      app: 'demo',
      viewer: ADA,
      type: 'user',
      scopes: ['email'],
      declined: [],
      issuedAt: NOW,
      expiresAt: NOW + MINUTE,
    })
  })

  it('describes the token of an app', async () => {
    const { inspect } = await openClockedWorld()
    expect(await inspect('demo|the secret of demo')).toMatchObject({
      valid: true,
      app: 'demo',
      viewer: undefined,
      type: 'app',
    })
  })

  it('returns the scopes that the viewer declined, also after the token was revoked', async () => {
    const { issue, inspect, revoke } = await openClockedWorld()
    const declined = ['email', 'user_photos']
    const token = await issue({ viewer: ADA, app: 'demo', scopes: ['user_posts'], declined })
    declined.push('user_friends')
    expect((await inspect(token)).declined).toEqual(['email', 'user_photos'])
    await revoke(token)
    expect(await inspect(token)).toMatchObject({ failure: 'revoked', declined: ['email', 'user_photos'] })
    const none = await issue({ viewer: ADA, app: 'demo', scopes: [], declined: [] })
    expect((await inspect(none)).declined).toEqual([])
  })

  it('returns the type page for the token of a page', async () => {
    const { issue, inspect } = await openClockedWorld()
    expect(await inspect(await issue({ viewer: ENGINE, app: 'demo', scopes: [] }))).toMatchObject({
      type: 'page',
    })
  })

  it('names the reason for which a token is rejected', async () => {
    const { clock, issue, inspect, revoke } = await openClockedWorld()
    const revoked = await issue({ viewer: ADA, app: 'demo', scopes: ['email'] })
    await revoke(revoked)
    expect(await inspect(revoked)).toMatchObject({
      valid: false,
      failure: 'revoked',
      viewer: ADA,
      scopes: ['email'],
    })
    const expired = await issue({ viewer: ADA, app: 'demo', scopes: [], expiresInMs: 1 })
    clock.now += 1
    expect(await inspect(expired)).toMatchObject({ valid: false, failure: 'expired', viewer: ADA })
    expect(await inspect('no such token')).toMatchObject({
      valid: false,
      failure: 'invalid',
      viewer: undefined,
      scopes: [],
    })
  })

  it('returns a copy that the caller may change without changing the token', async () => {
    const { graph, issue, inspect } = await openClockedWorld()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    const inspection = await inspect(token)
    Reflect.set(inspection, 'scopes', ['email'])
    Reflect.set(inspection, 'viewer', GRACE)
    expect(await graph.getMe(token, { fields: 'email' })).toEqual({ id: ADA })
  })
})
