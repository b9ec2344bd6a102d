import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { engineOf } from '../../../src/execute/engine.ts'
import type { StoreReadOptions } from '../../../src/store/contract.ts'
import { putNode } from '../../../src/testing/records.ts'

/** Creates a graph whose store reads an empty replica, except if a read requires the newest revision. */
const createLaggingGraph = () => {
  const memory = createMemoryStore()
  memory.write([putNode('1', { name: 'Ada' }, 'user')])
  const replica = createMemoryStore()
  const read = (request: Parameters<typeof memory.read>[0], { minRevision }: StoreReadOptions) =>
    (minRevision === 'newest' ? memory : replica).read(request)
  return { memory, ...createGraph({ ...memory, read }) }
}

describe('tokens of a store whose replicas lag behind', () => {
  it('are issued to a viewer that the replica does not have yet', async () => {
    const { tokens } = createLaggingGraph()
    const token = await tokens.issue({ viewer: '1', app: 'a', scopes: [] })
    expect(await tokens.inspect(token)).toMatchObject({ valid: true, viewer: '1', type: 'user' })
  })

  it('are rejected right after revoke and revokeAll', async () => {
    const { tokens } = createLaggingGraph()
    const [one, other] = [
      await tokens.issue({ viewer: '1', app: 'a' }),
      await tokens.issue({ viewer: '1', app: 'a' }),
    ]
    await tokens.revoke(one)
    expect((await tokens.inspect(one)).failure).toBe('revoked')
    expect((await tokens.inspect(other)).valid).toBe(true)
    await tokens.revokeAll({ viewer: '1' })
    expect((await tokens.inspect(other)).failure).toBe('revoked')
  })

  it('are valid if they are issued immediately after revokeAll', async () => {
    const { tokens } = createLaggingGraph()
    for (let round = 0; round < 50; round++) {
      await tokens.revokeAll({ viewer: '1' })
      const token = await tokens.issue({ viewer: '1', app: 'a' })
      expect((await tokens.inspect(token)).valid).toBe(true)
    }
  })
})

describe('two graphs on one store that issue tokens at once to a viewer whose token record has the old format', () => {
  it('both issue valid tokens', async () => {
    const store = createMemoryStore()
    store.write([putNode('1', { name: 'Ada' }, 'user')])
    const graph = createGraph(store)
    const [, digest = ''] = engineOf('test', graph).auth.start(
      await graph.tokens.issue({ viewer: '1', app: 'a' }),
    ).digests
    const token = JSON.parse('{"viewer":"1","app":"","scopes":[],"issuedAt":1,"revokedAt":1}')
    store.write([{ op: 'putToken', digest, token }])
    const issued = await Promise.all(
      [graph, createGraph(store)].map(({ tokens }) => tokens.issue({ viewer: '1', app: 'a' })),
    )
    for (const one of issued) expect(await graph.getMe(one)).toMatchObject({ id: '1' })
  })
})
