import { createGraph } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { ADA, ENGINE, GRACE, NOW } from '../../helpers/world.ts'
import { faultOf } from '../abuse/fault-of.ts'
import { clockedWorld, reasonOf } from './clocked-world.ts'

const MINUTE = 60_000

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
    expect(await inspect('demo|demo secret')).toMatchObject({
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
