import { createGraph } from 'kithgraph'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { engineOf } from '../../../src/execute/engine.ts'
import type { Store } from '../../../src/store/contract.ts'
import { ADA, ENGINE, GRACE, NOW, worldStore } from '../../helpers/world.ts'
import { faultOf } from '../abuse/fault-of.ts'
import { clockedWorld, reasonOf } from './clocked-world.ts'

const MINUTE = 60_000
const NO_SIGNAL = { signal: undefined }

describe('the end of a token', () => {
  it('is when it expires, to the millisecond', async () => {
    const { clock, graph, issue } = await clockedWorld()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [], expiresIn: MINUTE })
    clock.now += MINUTE - 1
    expect(await graph.getMe(token)).toMatchObject({ id: ADA })
    clock.now += 1
    expect(await faultOf(graph.getMe(token))).toMatchObject({
      code: 190,
      subcode: 463,
      data: { reason: 'token_expired' },
    })
  })

  it('does not come by itself where none was said', async () => {
    const { clock, graph, issue } = await clockedWorld()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    clock.now += 1e12
    expect(await graph.getMe(token)).toMatchObject({ id: ADA })
  })

  it('is when it is revoked, by the next read', async () => {
    const { graph, issue, revoke } = await clockedWorld()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    expect(await graph.getMe(token)).toMatchObject({ id: ADA })
    await revoke(token)
    expect(await faultOf(graph.getMe(token))).toMatchObject({
      code: 190,
      subcode: 466,
      data: { reason: 'token_revoked' },
    })
  })

  it('is seen by every process that shares the store', async () => {
    const { store, graph, issue } = await clockedWorld()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    await createGraph(store).tokens.revoke(token)
    expect(await reasonOf(graph.getMe(token))).toBe('token_revoked')
  })

  it('leaves the other tokens of the viewer alone', async () => {
    const { graph, issue, revoke } = await clockedWorld()
    const [first, second] = await Promise.all(
      [1, 2].map(() => issue({ viewer: ADA, app: 'demo', scopes: [] })),
    )
    await revoke(first ?? '')
    expect(await graph.getMe(second ?? '')).toMatchObject({ id: ADA })
  })

  it('comes to all tokens of a viewer at once, and to nobody else', async () => {
    const { graph, issue, revokeAll } = await clockedWorld()
    const mine = await Promise.all(['demo', 'other'].map(app => issue({ viewer: ADA, app, scopes: [] })))
    const hers = await issue({ viewer: GRACE, app: 'demo', scopes: [] })
    const apps = await issue({ viewer: undefined, app: 'demo', scopes: [] })
    await revokeAll({ viewer: ADA })
    for (const token of mine) expect(await reasonOf(graph.getMe(token))).toBe('token_revoked')
    expect(await graph.getMe(hers)).toMatchObject({ id: GRACE })
    expect(await graph.getNode(apps, { id: ADA })).toMatchObject({ id: ADA })
  })

  it('does not come to a token issued right after all were revoked', async () => {
    const { graph, issue, revokeAll } = await clockedWorld()
    const old = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    await revokeAll({ viewer: ADA })
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    expect(await graph.getMe(token)).toMatchObject({ id: ADA })
    expect(await reasonOf(graph.getMe(old))).toBe('token_revoked')
  })

  it('comes to a token issued between two revocations of the same millisecond', async () => {
    const { graph, issue, revokeAll } = await clockedWorld()
    await revokeAll({ viewer: ADA })
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    await revokeAll({ viewer: ADA })
    expect(await reasonOf(graph.getMe(token))).toBe('token_revoked')
  })

  it('comes to every token of a viewer, whatever the clocks of the processes say', async () => {
    for (const [ahead, behind] of [
      [2000, 0],
      [0, 2000],
    ] as const) {
      const store = await worldStore()
      const early = createGraph(store, { now: () => NOW + ahead })
      const late = createGraph(store, { now: () => NOW + behind })
      const before = await early.tokens.issue({ viewer: ADA, app: 'demo' })
      await late.tokens.revokeAll({ viewer: ADA })
      const after = await early.tokens.issue({ viewer: ADA, app: 'demo' })
      const other = await late.tokens.issue({ viewer: ADA, app: 'demo' })
      for (const graph of [early, late]) {
        expect(await reasonOf(graph.getMe(before))).toBe('token_revoked')
        expect(await graph.getMe(after)).toMatchObject({ id: ADA })
        expect(await graph.getMe(other)).toMatchObject({ id: ADA })
      }
    }
  })

  it('comes to a token that is issued while all tokens of its viewer are revoked, at the latest with the next revocation', async () => {
    const store = await worldStore()
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
    // Its generation was read before the revocation, and its record was written after it.
    expect(await reasonOf(graph.getMe(await issuing))).toBe('token_revoked')
  })

  it('comes to every token of a viewer when two processes revoke all of them at once', async () => {
    const { graph, issue, revokeAll } = await clockedWorld()
    const before = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    await Promise.all([revokeAll({ viewer: ADA }), revokeAll({ viewer: ADA })])
    expect(await reasonOf(graph.getMe(before))).toBe('token_revoked')
    expect(await graph.getMe(await issue({ viewer: ADA, app: 'demo', scopes: [] }))).toMatchObject({
      id: ADA,
    })
  })

  it('came with the change to generations to every token that was issued before it, and to none that is issued since', async () => {
    const { store, graph, issue } = await clockedWorld()
    const first = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    const [tokenDigest = '', familyDigest = ''] = engineOf('test', graph).auth.keysOf(first)
    const old = { viewer: ADA, app: '', scopes: [], issuedAt: NOW, expiresAt: undefined, revokedAt: NOW }
    const put = async (digest: string, token: object) =>
      store.write([{ op: 'putToken', digest, token: JSON.parse(JSON.stringify(token)) }], NO_SIGNAL)
    await put(familyDigest, old)
    expect(await reasonOf(graph.getMe(first))).toBe('token_revoked')
    const second = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    expect(await graph.getMe(second)).toMatchObject({ id: ADA })
    await put(tokenDigest, { ...old, app: 'demo', revokedAt: undefined })
    expect(await reasonOf(graph.getMe(first))).toBe('token_unknown')
  })

  it('is read with the token: one read more for me, and none of the node', async () => {
    const store = countReads(await worldStore())
    const graph = createGraph(store)
    const token = await graph.tokens.issue({ viewer: ADA, app: 'demo' })
    expect(store.reads).toHaveLength(1)
    expect(store.reads[0]).toMatchObject({ wave: { nodes: [ADA] } })
    expect(store.reads[0]?.wave.tokens).toHaveLength(1)
    await graph.tokens.revokeAll({ viewer: ADA })
    expect(store.reads).toHaveLength(1)
    expect(await reasonOf(graph.getNode(token, { id: ADA }))).toBe('token_revoked')
    expect(store.reads).toHaveLength(2)
    expect(store.reads[1]?.wave.tokens).toHaveLength(2)
    await graph.tokens.inspect(token)
    expect(store.reads).toHaveLength(3)
    expect(store.reads[2]?.wave.nodes).toEqual([])
  })

  it('can be made twice without a fault', async () => {
    const { graph, issue, revoke } = await clockedWorld()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    await revoke(token)
    await revoke(token)
    await revoke('no such token')
    expect(await reasonOf(graph.getMe(token))).toBe('token_revoked')
  })
})

describe('inspect', () => {
  it('tells of a good token', async () => {
    const { issue, inspect } = await clockedWorld()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: ['email'], expiresIn: MINUTE })
    expect(await inspect(token)).toEqual({
      valid: true,
      refused: undefined,
      app: 'demo',
      viewer: ADA,
      type: 'user',
      scopes: ['email'],
      issuedAt: NOW,
      expiresAt: NOW + MINUTE,
    })
  })

  it('tells of the token of an app', async () => {
    const { inspect } = await clockedWorld()
    expect(await inspect('demo|the secret of demo')).toMatchObject({
      valid: true,
      app: 'demo',
      viewer: undefined,
      type: 'app',
    })
  })

  it('tells of a page', async () => {
    const { issue, inspect } = await clockedWorld()
    expect(await inspect(await issue({ viewer: ENGINE, app: 'demo', scopes: [] }))).toMatchObject({
      type: 'page',
    })
  })

  it('tells why a token is refused', async () => {
    const { clock, issue, inspect, revoke } = await clockedWorld()
    const revoked = await issue({ viewer: ADA, app: 'demo', scopes: ['email'] })
    await revoke(revoked)
    expect(await inspect(revoked)).toMatchObject({
      valid: false,
      refused: 'revoked',
      viewer: ADA,
      scopes: ['email'],
    })
    const expired = await issue({ viewer: ADA, app: 'demo', scopes: [], expiresIn: 1 })
    clock.now += 1
    expect(await inspect(expired)).toMatchObject({ valid: false, refused: 'expired', viewer: ADA })
    expect(await inspect('no such token')).toMatchObject({
      valid: false,
      refused: 'unknown',
      viewer: undefined,
      scopes: [],
    })
  })

  it('answers what its caller may change', async () => {
    const { graph, issue, inspect } = await clockedWorld()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    const told = await inspect(token)
    Reflect.set(told, 'scopes', ['email'])
    Reflect.set(told, 'viewer', GRACE)
    expect(await graph.getMe(token, { fields: 'email' })).toEqual({ id: ADA })
  })
})
