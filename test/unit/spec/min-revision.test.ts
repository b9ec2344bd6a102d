import { describe, expect, it } from 'vitest'
import type { StoreReadOptions } from '../../../src/store/contract.ts'
import { ADA, GRACE } from '../../helpers/world.ts'
import { openWorldWithStore } from './open-world-with-store.ts'

/** Opens a world whose store records the minimum revision of each read. */
const openRecordingStore = async () => {
  const minRevisions: (string | undefined)[] = []
  const world = await openWorldWithStore(store => ({
    read: (request, options: StoreReadOptions) => {
      minRevisions.push(options.minRevision)
      return store.read(request, options)
    },
  }))
  return { ...world, minRevisions }
}

describe('minRevision', () => {
  it('is passed to every store read of every call', async () => {
    const { graph, ada, minRevisions } = await openRecordingStore()
    const minRevision = 'revision 7'
    await graph.getMe(ada, { fields: 'friends{photos}', minRevision })
    await graph.getNode(ada, { id: GRACE, minRevision })
    await graph.getNodes(ada, { ids: [ADA, GRACE], minRevision })
    await graph.getEdge(ada, { id: 'me', edge: 'photos', minRevision })
    await graph.getEdges(ada, { ids: ['me'], edge: 'photos', minRevision })
    await graph.hasEdge(ada, { id: 'me', edge: 'friends', target: GRACE, minRevision })
    for await (const photo of graph.iterateEdge(ada, { id: 'me', edge: 'photos', limit: 2, minRevision }))
      expect(photo.id).toBeDefined()
    expect(minRevisions.length).toBeGreaterThan(8)
    expect(new Set(minRevisions)).toEqual(new Set([minRevision]))
  })

  it('is optional', async () => {
    const { graph, ada, minRevisions } = await openRecordingStore()
    await graph.getMe(ada)
    expect(minRevisions).toEqual([undefined])
  })
})
