import { describe, expect, it } from 'vitest'
import type { ReadOptions } from '../../../src/store/contract.ts'
import { ADA, GRACE } from '../../helpers/world.ts'
import { openWorld } from './replaced-store.ts'

/** A world whose store writes down which write each read must see. */
const openReplica = async () => {
  const named: (string | undefined)[] = []
  const world = await openWorld(store => ({
    read: (wave, options: ReadOptions) => {
      named.push(options.atLeast)
      return store.read(wave, options)
    },
  }))
  return { ...world, named }
}

describe('a call that names the version of a write', () => {
  it('hands it to every read of the store, whatever is asked', async () => {
    const { graph, ada, named } = await openReplica()
    const atLeast = 'version 7'
    await graph.getMe(ada, { fields: 'friends{photos}', atLeast })
    await graph.getNode(ada, { id: GRACE, atLeast })
    await graph.getNodes(ada, { ids: [ADA, GRACE], atLeast })
    await graph.getEdge(ada, { id: 'me', edge: 'photos', atLeast })
    await graph.getEdges(ada, { ids: ['me'], edge: 'photos', atLeast })
    await graph.hasEdge(ada, { id: 'me', edge: 'friends', target: GRACE, atLeast })
    for await (const photo of graph.iterateEdge(ada, { id: 'me', edge: 'photos', limit: 2, atLeast }))
      expect(photo.id).toBeDefined()
    expect(named.length).toBeGreaterThan(8)
    expect(new Set(named)).toEqual(new Set([atLeast]))
  })

  it('need not', async () => {
    const { graph, ada, named } = await openReplica()
    await graph.getMe(ada)
    expect(named).toEqual([undefined])
  })
})
