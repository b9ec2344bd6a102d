import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { proofOf } from '../../../src/access/proof.ts'
import type { Mutation, Store } from '../../../src/store/contract.ts'
import { ADA, COMPILERS, ENGINE, GRACE, NOBODY, NOW, worldStore } from '../../helpers/world.ts'
import { faultOf, loosely } from '../abuse/fault-of.ts'

const MINUTE = 60_000

/** A graph whose clock the test moves. */
const withClock = async (options: object = {}) => {
  const clock = { now: NOW }
  const store = await worldStore()
  const graph = createGraph(store, { now: () => clock.now, appSecrets: { demo: 'demo secret' }, ...options })
  return { clock, store, graph, ...graph.tokens }
}

const reasonOf = async (promise: Promise<unknown>): Promise<string> => (await faultOf(promise)).data.reason

describe('a token', () => {
  it('is needed in every call', async () => {
    const { graph } = await withClock()
    const { getMe, getNode, getNodes, getEdge, getEdges, hasEdge, iterateEdge } = graph
    for (const token of [undefined, null, '']) {
      for (const promise of [
        loosely(getMe, token),
        loosely(getNode, token, { id: ADA }),
        loosely(getNodes, token, { ids: [ADA] }),
        loosely(getEdge, token, { id: ADA, edge: 'friends' }),
        loosely(getEdges, token, { ids: [ADA], edge: 'friends' }),
        loosely(hasEdge, token, { id: ADA, edge: 'friends', target: GRACE }),
        loosely(async () =>
          Reflect.apply(iterateEdge, undefined, [token, { id: ADA, edge: 'friends' }]).next(),
        ),
      ]) {
        expect(await faultOf(promise)).toMatchObject({
          code: 104,
          status: 400,
          data: { reason: 'token_missing' },
        })
      }
    }
  })

  it('stands for a person', async () => {
    const { graph, issue } = await withClock()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    expect(await graph.getMe(token)).toEqual({ name: 'Ada Lovelace', id: ADA })
  })

  it('stands for a page', async () => {
    const { graph, issue } = await withClock()
    const token = await issue({ viewer: ENGINE, app: 'demo', scopes: [] })
    expect(await graph.getMe(token)).toEqual({ name: 'The Analytical Engine', id: ENGINE })
  })

  it('stands for an app alone, which has no me', async () => {
    const { graph, issue } = await withClock()
    const token = await issue({ viewer: undefined, app: 'demo', scopes: ['email'] })
    expect(await graph.getNode(token, { id: ADA, fields: 'email' })).toEqual({
      email: 'ada@example.org',
      id: ADA,
    })
    expect(await reasonOf(graph.getMe(token))).toBe('viewer_missing')
  })

  it('may be the secret of an app', async () => {
    const { graph } = await withClock()
    expect(await graph.getNode('demo|demo secret', { id: ADA })).toEqual({ name: 'Ada Lovelace', id: ADA })
    expect(await reasonOf(graph.getMe('demo|demo secret'))).toBe('viewer_missing')
    expect(await reasonOf(graph.getEdge('demo|demo secret', { id: ADA, edge: 'photos' }))).toBe(
      'scope_missing',
    )
  })

  it.each([
    'demo|wrong',
    'demo|',
    '|demo secret',
    'other|demo secret',
    '__proto__|x',
    'demo',
    'constructor|',
    'demo|demo secret|',
  ])('is not the text %s', async token => {
    const { graph } = await withClock()
    expect(await reasonOf(graph.getNode(token, { id: ADA }))).toBe('token_unknown')
  })

  it('is random, and reads as nothing', async () => {
    const { issue } = await withClock()
    const grant = { viewer: ADA, app: 'demo', scopes: [] }
    const tokens = await Promise.all(Array.from({ length: 50 }, () => issue(grant)))
    expect(new Set(tokens).size).toBe(50)
    for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}\.[A-Za-z0-9_-]{22}$/)
  })

  it('is unknown where another made it, or a letter of it changed', async () => {
    const { graph, issue } = await withClock()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    const other = await withClock()
    expect(await reasonOf(other.graph.getMe(token))).toBe('token_unknown')
    const changed = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`
    expect(await reasonOf(graph.getMe(changed))).toBe('token_unknown')
    expect(await reasonOf(graph.getMe(`${token} `))).toBe('token_unknown')
  })

  it('is worth nothing once the secret of the graph changed', async () => {
    const { store, graph, issue } = await withClock({ secret: 'first' })
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    expect(await graph.getMe(token)).toMatchObject({ id: ADA })
    expect(await reasonOf(createGraph(store, { secret: 'second' }).getMe(token))).toBe('token_unknown')
    expect(await createGraph(store, { secret: 'first' }).getMe(token)).toMatchObject({ id: ADA })
  })

  it('grants its scopes and no other', async () => {
    const { graph, issue } = await withClock()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: ['email', 'a word of no schema'] })
    expect(await graph.getMe(token, { fields: 'email,birthday' })).toEqual({
      email: 'ada@example.org',
      id: ADA,
    })
  })

  it('is issued only to those that tokens can stand for', async () => {
    const { issue } = await withClock()
    for (const viewer of [NOBODY, COMPILERS]) {
      const fault = await faultOf(issue({ viewer, app: 'demo', scopes: [] }))
      expect(fault.data).toMatchObject({ reason: 'bad_parameter', parameter: 'viewer' })
    }
  })
})

describe('the store of tokens', () => {
  it('holds digests, never the token', async () => {
    const written: Mutation[] = []
    const memory = await worldStore()
    const store: Store = {
      ...memory,
      write: (mutations, options) => {
        written.push(...mutations)
        return memory.write(mutations, options)
      },
    }
    const { tokens, getMe } = createGraph(store)
    const token = await tokens.issue({ viewer: ADA, app: 'demo', scopes: [] })
    await tokens.revoke(token)
    await tokens.revokeAll({ viewer: ADA })
    expect(await reasonOf(getMe(token))).toBe('token_revoked')
    const text = JSON.stringify(written)
    expect(written).toHaveLength(3)
    for (const part of token.split('.')) expect(text).not.toContain(part)
  })

  it('is asked by digest alone', async () => {
    const store = countReads(await worldStore())
    const { tokens, getMe } = createGraph(store)
    const token = await tokens.issue({ viewer: ADA, app: 'demo', scopes: [] })
    await getMe(token)
    expect(JSON.stringify(store.reads)).not.toContain(token)
  })
})

describe('the end of a token', () => {
  it('is when it expires, to the millisecond', async () => {
    const { clock, graph, issue } = await withClock()
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
    const { clock, graph, issue } = await withClock()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    clock.now += 1e12
    expect(await graph.getMe(token)).toMatchObject({ id: ADA })
  })

  it('is when it is revoked, by the next read', async () => {
    const { graph, issue, revoke } = await withClock()
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
    const { store, graph, issue } = await withClock()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    await createGraph(store).tokens.revoke(token)
    expect(await reasonOf(graph.getMe(token))).toBe('token_revoked')
  })

  it('leaves the other tokens of the viewer alone', async () => {
    const { graph, issue, revoke } = await withClock()
    const [first, second] = await Promise.all(
      [1, 2].map(() => issue({ viewer: ADA, app: 'demo', scopes: [] })),
    )
    await revoke(first ?? '')
    expect(await graph.getMe(second ?? '')).toMatchObject({ id: ADA })
  })

  it('comes to all tokens of a viewer at once, and to nobody else', async () => {
    const { graph, issue, revokeAll } = await withClock()
    const mine = await Promise.all(['demo', 'other'].map(app => issue({ viewer: ADA, app, scopes: [] })))
    const hers = await issue({ viewer: GRACE, app: 'demo', scopes: [] })
    const apps = await issue({ viewer: undefined, app: 'demo', scopes: [] })
    await revokeAll({ viewer: ADA })
    for (const token of mine) expect(await reasonOf(graph.getMe(token))).toBe('token_revoked')
    expect(await graph.getMe(hers)).toMatchObject({ id: GRACE })
    expect(await graph.getNode(apps, { id: ADA })).toMatchObject({ id: ADA })
  })

  it('does not come to a token issued right after all were revoked', async () => {
    const { graph, issue, revokeAll } = await withClock()
    const old = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    await revokeAll({ viewer: ADA })
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    expect(await graph.getMe(token)).toMatchObject({ id: ADA })
    expect(await reasonOf(graph.getMe(old))).toBe('token_revoked')
  })

  it('comes to a token issued between two revocations of the same millisecond', async () => {
    const { graph, issue, revokeAll } = await withClock()
    await revokeAll({ viewer: ADA })
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    await revokeAll({ viewer: ADA })
    expect(await reasonOf(graph.getMe(token))).toBe('token_revoked')
  })

  it('can be made twice without a fault', async () => {
    const { graph, issue, revoke } = await withClock()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    await revoke(token)
    await revoke(token)
    await revoke('no such token')
    expect(await reasonOf(graph.getMe(token))).toBe('token_revoked')
  })
})

describe('inspect', () => {
  it('tells of a good token', async () => {
    const { issue, inspect } = await withClock()
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
    const { inspect } = await withClock()
    expect(await inspect('demo|demo secret')).toMatchObject({
      valid: true,
      app: 'demo',
      viewer: undefined,
      type: 'app',
    })
  })

  it('tells of a page', async () => {
    const { issue, inspect } = await withClock()
    expect(await inspect(await issue({ viewer: ENGINE, app: 'demo', scopes: [] }))).toMatchObject({
      type: 'page',
    })
  })

  it('tells why a token is refused', async () => {
    const { clock, issue, inspect, revoke } = await withClock()
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
    const { graph, issue, inspect } = await withClock()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    const told = await inspect(token)
    Reflect.set(told, 'scopes', ['email'])
    Reflect.set(told, 'viewer', GRACE)
    expect(await graph.getMe(token, { fields: 'email' })).toEqual({ id: ADA })
  })
})

describe('a proof of possession', () => {
  it('is the HMAC-SHA256 of the token under the secret of the app, in lower-case hex', () => {
    expect(proofOf('bar_token', 'foo_secret')).toBe(
      '2ceec40b7b9fd7d38fff1767b766bcc6b1f9feb378febac4612c156e6a8354bd',
    )
  })

  it('is taken where it is right, and refused where it is wrong', async () => {
    const { graph, issue } = await withClock()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    const proof = proofOf(token, 'demo secret')
    expect(await graph.getMe(token, { proof })).toMatchObject({ id: ADA })
    for (const wrong of [
      '',
      proof.toUpperCase(),
      proof.slice(1),
      `${proof}0`,
      proofOf(token, 'other secret'),
    ]) {
      const fault = await faultOf(graph.getMe(token, { proof: wrong }))
      expect(fault).toMatchObject({
        code: 100,
        type: 'GraphMethodException',
        data: { reason: 'proof_invalid' },
      })
    }
  })

  it('is refused for an app whose secret is not known', async () => {
    const { graph, issue } = await withClock()
    for (const app of ['other', 'constructor', '__proto__']) {
      const token = await issue({ viewer: ADA, app, scopes: [] })
      expect(await reasonOf(graph.getMe(token, { proof: proofOf(token, 'demo secret') }))).toBe(
        'proof_invalid',
      )
    }
  })

  it('is compulsory under requireProof, for tokens', async () => {
    const { graph, issue } = await withClock({ requireProof: true })
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    expect(await reasonOf(graph.getMe(token))).toBe('proof_invalid')
    expect(await graph.getMe(token, { proof: proofOf(token, 'demo secret') })).toMatchObject({ id: ADA })
    expect(await graph.getMe(graph.session({ viewer: ADA, app: 'demo', scopes: [] }))).toMatchObject({
      id: ADA,
    })
  })

  it('covers every read', async () => {
    const { graph, issue } = await withClock({ requireProof: true })
    const token = await issue({ viewer: ADA, app: 'demo', scopes: ['user_friends'] })
    const proof = proofOf(token, 'demo secret')
    const call = { id: ADA, edge: 'friends', target: GRACE } as const
    expect(await reasonOf(graph.hasEdge(token, call))).toBe('proof_invalid')
    expect(await graph.hasEdge(token, { ...call, proof })).toBe(true)
    expect((await graph.getEdge(token, { id: ADA, edge: 'friends', proof })).data).toHaveLength(2)
  })
})

describe('a session', () => {
  it('is accepted wherever a token is', async () => {
    const { graph } = await withClock()
    const session = graph.session({ viewer: ADA, app: 'demo', scopes: ['user_friends'] })
    expect(await graph.getMe(session)).toMatchObject({ id: ADA })
    expect((await graph.getEdge(session, { id: 'me', edge: 'friends' })).data).toHaveLength(2)
  })

  it('is frozen data: viewer, app, scopes and when it was made', async () => {
    const { graph } = await withClock()
    const session = graph.session({ viewer: ADA, app: 'demo', scopes: ['email'] })
    expect(session).toEqual({
      viewer: ADA,
      app: 'demo',
      scopes: ['email'],
      issuedAt: NOW,
      expiresAt: undefined,
    })
    expect(Object.isFrozen(session) && Object.isFrozen(session.scopes)).toBe(true)
  })

  it('does not change with the list of scopes that it was made of', async () => {
    const { graph } = await withClock()
    const scopes: string[] = []
    const session = graph.session({ viewer: ADA, app: 'demo', scopes })
    scopes.push('email')
    expect(await graph.getMe(session, { fields: 'email' })).toEqual({ id: ADA })
  })

  it('is accepted by the graph that made it alone', async () => {
    const { graph, store } = await withClock()
    const session = graph.session({ viewer: ADA, app: 'demo', scopes: [] })
    const other = createGraph(store)
    for (const forged of [
      { ...session },
      structuredClone(session),
      other.session({ viewer: ADA, app: 'demo', scopes: [] }),
    ]) {
      await expect(loosely(graph.getMe, forged)).rejects.toThrow(TypeError)
    }
  })

  it('needs no store', async () => {
    const graph = createGraph(createMemoryStore())
    expect(graph.session({ viewer: ADA, app: 'demo', scopes: [] }).viewer).toBe(ADA)
  })
})
