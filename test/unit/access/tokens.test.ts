import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { engineOf } from '../../../src/execute/engine.ts'
import type { ReadOptions } from '../../../src/store/contract.ts'
import { putNode } from '../../../src/testing/records.ts'

/** A graph whose store answers from a replica that has come to nothing yet, except where it is asked for the newest. */
const createLaggingGraph = () => {
  const memory = createMemoryStore()
  memory.write([putNode('1', { name: 'Ada' }, 'user')])
  const replica = createMemoryStore()
  const read = (wave: Parameters<typeof memory.read>[0], { atLeast }: ReadOptions) =>
    (atLeast === 'newest' ? memory : replica).read(wave)
  return { memory, ...createGraph({ ...memory, read }) }
}

describe('tokens of a store whose replicas are behind', () => {
  it('are issued to whoever is there', async () => {
    const { tokens } = createLaggingGraph()
    const token = await tokens.issue({ viewer: '1', app: 'a', scopes: [] })
    expect(await tokens.inspect(token)).toMatchObject({ valid: true, viewer: '1', type: 'user' })
  })

  it('are revoked, one and all', async () => {
    const { tokens } = createLaggingGraph()
    const [one, other] = [
      await tokens.issue({ viewer: '1', app: 'a' }),
      await tokens.issue({ viewer: '1', app: 'a' }),
    ]
    await tokens.revoke(one)
    expect((await tokens.inspect(one)).refused).toBe('revoked')
    expect((await tokens.inspect(other)).valid).toBe(true)
    await tokens.revokeAll({ viewer: '1' })
    expect((await tokens.inspect(other)).refused).toBe('revoked')
  })

  it('are good where they were issued after all of a viewer were revoked, in the same millisecond too', async () => {
    const { tokens } = createLaggingGraph()
    for (let round = 0; round < 50; round++) {
      await tokens.revokeAll({ viewer: '1' })
      const token = await tokens.issue({ viewer: '1', app: 'a' })
      expect((await tokens.inspect(token)).valid).toBe(true)
    }
  })
})

describe('the first tokens of a viewer whose record was written before there were generations', () => {
  it('are valid, also if two processes issue them at once', async () => {
    const store = createMemoryStore()
    store.write([putNode('1', { name: 'Ada' }, 'user')])
    const graph = createGraph(store)
    const [, digest = ''] = engineOf('test', graph).auth.keysOf(
      await graph.tokens.issue({ viewer: '1', app: 'a' }),
    )
    const token = JSON.parse('{"viewer":"1","app":"","scopes":[],"issuedAt":1,"revokedAt":1}')
    store.write([{ op: 'putToken', digest, token }])
    const issued = await Promise.all(
      [graph, createGraph(store)].map(({ tokens }) => tokens.issue({ viewer: '1', app: 'a' })),
    )
    for (const one of issued) expect(await graph.getMe(one)).toMatchObject({ id: '1' })
  })
})
