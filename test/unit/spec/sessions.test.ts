import { createGraph } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { ADA, NOW } from '../../helpers/world.ts'
import { callUntyped } from '../abuse/expect-graph-error.ts'
import { openClockedWorld } from './clocked-world.ts'

describe('a session', () => {
  it('is accepted by getMe and getEdge in place of a token', async () => {
    const { graph } = await openClockedWorld()
    const session = graph.session({ viewer: ADA, app: 'demo', scopes: ['user_friends'] })
    expect(await graph.getMe(session)).toMatchObject({ id: ADA })
    expect((await graph.getEdge(session, { id: 'me', edge: 'friends' })).data).toHaveLength(2)
  })

  it('is a frozen object with viewer, app, scopes and times', async () => {
    const { graph } = await openClockedWorld()
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

  it('copies the list of scopes that it is created from', async () => {
    const { graph } = await openClockedWorld()
    const scopes: string[] = []
    const session = graph.session({ viewer: ADA, app: 'demo', scopes })
    scopes.push('email')
    expect(await graph.getMe(session, { fields: 'email' })).toEqual({ id: ADA })
  })

  it('is accepted only by the graph that created it', async () => {
    const { graph, store } = await openClockedWorld()
    const session = graph.session({ viewer: ADA, app: 'demo', scopes: [] })
    const other = createGraph(store)
    for (const forged of [
      { ...session },
      structuredClone(session),
      other.session({ viewer: ADA, app: 'demo', scopes: [] }),
    ]) {
      await expect(callUntyped(graph.getMe, forged)).rejects.toThrow(TypeError)
    }
  })

  it('is created without a check that its viewer exists', async () => {
    const graph = createGraph(createMemoryStore())
    expect(graph.session({ viewer: ADA, app: 'demo', scopes: [] }).viewer).toBe(ADA)
  })
})
