import { createGraph } from 'kithgraph'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import type { Mutation, Store } from '../../../src/store/contract.ts'
import { ADA, COMPILERS, ENGINE, GRACE, NOBODY, worldStore } from '../../helpers/world.ts'
import { faultOf, loosely } from '../abuse/fault-of.ts'
import { clockedWorld, reasonOf } from './clocked-world.ts'

describe('a token', () => {
  it('is needed in every call', async () => {
    const { graph } = await clockedWorld()
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
    const { graph, issue } = await clockedWorld()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    expect(await graph.getMe(token)).toEqual({ name: 'Ada Lovelace', id: ADA })
  })

  it('stands for a page', async () => {
    const { graph, issue } = await clockedWorld()
    const token = await issue({ viewer: ENGINE, app: 'demo', scopes: [] })
    expect(await graph.getMe(token)).toEqual({ name: 'The Analytical Engine', id: ENGINE })
  })

  it('stands for an app alone, which has no me', async () => {
    const { graph, issue } = await clockedWorld()
    const token = await issue({ viewer: undefined, app: 'demo', scopes: ['email'] })
    expect(await graph.getNode(token, { id: ADA, fields: 'email' })).toEqual({
      email: 'ada@example.org',
      id: ADA,
    })
    expect(await reasonOf(graph.getMe(token))).toBe('viewer_missing')
  })

  it('may be the secret of an app', async () => {
    const { graph } = await clockedWorld()
    expect(await graph.getNode('demo|the secret of demo', { id: ADA })).toEqual({
      name: 'Ada Lovelace',
      id: ADA,
    })
    expect(await reasonOf(graph.getMe('demo|the secret of demo'))).toBe('viewer_missing')
    expect(await reasonOf(graph.getEdge('demo|the secret of demo', { id: ADA, edge: 'photos' }))).toBe(
      'scope_missing',
    )
  })

  it.each([
    'demo|wrong',
    'demo|',
    '|the secret of demo',
    'other|the secret of demo',
    '__proto__|x',
    'demo',
    'constructor|',
    'demo|the secret of demo|',
  ])('is not the text %s', async token => {
    const { graph } = await clockedWorld()
    expect(await reasonOf(graph.getNode(token, { id: ADA }))).toBe('token_unknown')
  })

  it('is random, and reads as nothing', async () => {
    const { issue } = await clockedWorld()
    const grant = { viewer: ADA, app: 'demo', scopes: [] }
    const tokens = await Promise.all(Array.from({ length: 50 }, () => issue(grant)))
    expect(new Set(tokens).size).toBe(50)
    for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}\.[A-Za-z0-9_-]{22}$/)
  })

  it('is unknown where another made it, or a letter of it changed', async () => {
    const { graph, issue } = await clockedWorld()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    const other = await clockedWorld()
    expect(await reasonOf(other.graph.getMe(token))).toBe('token_unknown')
    const changed = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`
    expect(await reasonOf(graph.getMe(changed))).toBe('token_unknown')
    expect(await reasonOf(graph.getMe(`${token} `))).toBe('token_unknown')
  })

  it('is worth nothing once the secret of the graph changed', async () => {
    const { store, graph, issue } = await clockedWorld({ secret: 'the first of two secrets' })
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    expect(await graph.getMe(token)).toMatchObject({ id: ADA })
    expect(await reasonOf(createGraph(store, { secret: 'the second of two secrets' }).getMe(token))).toBe(
      'token_unknown',
    )
    expect(await createGraph(store, { secret: 'the first of two secrets' }).getMe(token)).toMatchObject({
      id: ADA,
    })
  })

  it('grants its scopes and no other', async () => {
    const { graph, issue } = await clockedWorld()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: ['email', 'a word of no schema'] })
    expect(await graph.getMe(token, { fields: 'email,birthday' })).toEqual({
      email: 'ada@example.org',
      id: ADA,
    })
  })

  it('is issued only to those that tokens can stand for', async () => {
    const { issue } = await clockedWorld()
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
