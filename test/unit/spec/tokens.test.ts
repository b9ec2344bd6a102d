import { createGraph } from 'kithgraph'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../src/store/contract.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { ADA, COMPILERS, createWorldStore, ENGINE, GRACE, NOBODY } from '../../helpers/world.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'
import { catchReason, openClockedWorld } from './clocked-world.ts'

describe('a token', () => {
  it('is required by every read', async () => {
    const { graph } = await openClockedWorld()
    const { getMe, getNode, getNodes, getEdge, getEdges, hasEdge, iterateEdge } = graph
    for (const token of [undefined, null, '']) {
      for (const promise of [
        callUntyped(getMe, token),
        callUntyped(getNode, token, { id: ADA }),
        callUntyped(getNodes, token, { ids: [ADA] }),
        callUntyped(getEdge, token, { id: ADA, edge: 'friends' }),
        callUntyped(getEdges, token, { ids: [ADA], edge: 'friends' }),
        callUntyped(hasEdge, token, { id: ADA, edge: 'friends', target: GRACE }),
        callUntyped(async () =>
          Reflect.apply(iterateEdge, undefined, [token, { id: ADA, edge: 'friends' }]).next(),
        ),
      ]) {
        expect(await expectGraphError(promise)).toMatchObject({
          code: 104,
          status: 400,
          reason: 'token_missing',
        })
      }
    }
  })

  it('represents a person', async () => {
    const { graph, issue } = await openClockedWorld()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    expect(await graph.getMe(token)).toEqual({ name: 'Ada Lovelace', id: ADA })
  })

  it('represents a page', async () => {
    const { graph, issue } = await openClockedWorld()
    const token = await issue({ viewer: ENGINE, app: 'demo', scopes: [] })
    expect(await graph.getMe(token)).toEqual({ name: 'The Analytical Engine', id: ENGINE })
  })

  it('represents an app without a viewer, for which getMe fails', async () => {
    const { graph, issue } = await openClockedWorld()
    const token = await issue({ viewer: undefined, app: 'demo', scopes: ['email'] })
    expect(await graph.getNode(token, { id: ADA, fields: 'email' })).toEqual({
      email: 'ada@example.org',
      id: ADA,
    })
    expect(await catchReason(graph.getMe(token))).toBe('viewer_required')
  })

  it('may consist of the name and the secret of an app', async () => {
    const { graph } = await openClockedWorld()
    expect(await graph.getNode('demo|the secret of demo', { id: ADA })).toEqual({
      name: 'Ada Lovelace',
      id: ADA,
    })
    expect(await catchReason(graph.getMe('demo|the secret of demo'))).toBe('viewer_required')
    expect(await catchReason(graph.getEdge('demo|the secret of demo', { id: ADA, edge: 'photos' }))).toBe(
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
  ])('is rejected if it is the text %s', async token => {
    const { graph } = await openClockedWorld()
    expect(await catchReason(graph.getNode(token, { id: ADA }))).toBe('token_invalid')
  })

  it('is random base64url text', async () => {
    const { issue } = await openClockedWorld()
    const grant = { viewer: ADA, app: 'demo', scopes: [] }
    const tokens = await Promise.all(Array.from({ length: 50 }, () => issue(grant)))
    expect(new Set(tokens).size).toBe(50)
    for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}\.[A-Za-z0-9_-]{22}$/)
  })

  it('is rejected if another graph issued it or one character is changed', async () => {
    const { graph, issue } = await openClockedWorld()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    const other = await openClockedWorld()
    expect(await catchReason(other.graph.getMe(token))).toBe('token_invalid')
    const changed = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`
    expect(await catchReason(graph.getMe(changed))).toBe('token_invalid')
    expect(await catchReason(graph.getMe(`${token} `))).toBe('token_invalid')
  })

  it('is rejected by a graph with another secret', async () => {
    const { store, graph, issue } = await openClockedWorld({ secret: 'the first of two secrets' })
    const token = await issue({ viewer: ADA, app: 'demo', scopes: [] })
    expect(await graph.getMe(token)).toMatchObject({ id: ADA })
    expect(await catchReason(createGraph(store, { secret: 'the second of two secrets' }).getMe(token))).toBe(
      'token_invalid',
    )
    expect(await createGraph(store, { secret: 'the first of two secrets' }).getMe(token)).toMatchObject({
      id: ADA,
    })
  })

  it('grants only its scopes', async () => {
    const { graph, issue } = await openClockedWorld()
    const token = await issue({ viewer: ADA, app: 'demo', scopes: ['email', 'a scope of no schema'] })
    expect(await graph.getMe(token, { fields: 'email,birthday' })).toEqual({
      email: 'ada@example.org',
      id: ADA,
    })
  })

  it('is issued only for an existing node of a viewer type', async () => {
    const { issue } = await openClockedWorld()
    for (const viewer of [NOBODY, COMPILERS]) {
      const error = await expectGraphError(issue({ viewer, app: 'demo', scopes: [] }))
      expect(error.toJSON().error.error_data).toMatchObject({
        reason: 'invalid_parameter',
        parameter: 'viewer',
      })
    }
  })
})

describe('the store', () => {
  it('holds digests of tokens, never the tokens', async () => {
    const written: StoreMutation[] = []
    const memory = await createWorldStore()
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
    expect(await catchReason(getMe(token))).toBe('token_revoked')
    const text = JSON.stringify(written)
    expect(written).toHaveLength(3)
    for (const part of token.split('.')) expect(text).not.toContain(part)
  })

  it('is read by the digest of a token, never by the token', async () => {
    const store = countReads(await createWorldStore())
    const { tokens, getMe } = createGraph(store)
    const token = await tokens.issue({ viewer: ADA, app: 'demo', scopes: [] })
    await getMe(token)
    expect(JSON.stringify(store.reads)).not.toContain(token)
  })
})
