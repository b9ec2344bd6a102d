import { createGraph, type Schema } from 'kithgraph'
import { expect } from 'vitest'
import type { Store } from '../../src/store/contract.ts'

const PHOTOS = ['photo-5', 'photo-4', 'photo-3', 'photo-2', 'photo-1']

/** Asserts that the collection `photos` lists exactly the photos that a viewer may read alone, and some of them. */
export const expectVisiblePhotosListed = async (
  store: Store,
  schema: Schema,
  viewer: string,
): Promise<void> => {
  const graph = createGraph(store, { schema, secret: 'x'.repeat(32) })
  const session = graph.session({ viewer, app: 'demo', scopes: [] })
  const isVisible = (id: string) =>
    graph.getNode(session, { id }).then(
      () => true,
      () => false,
    )
  const visible = await Promise.all(PHOTOS.map(isVisible))
  const { data } = await graph.getEdge(session, { id: 'root', edge: 'photos', fields: 'id' })
  expect(data.map(({ id }) => id)).toEqual(PHOTOS.filter((_id, index) => visible[index]))
  expect(data.length).toBeGreaterThan(0)
}
