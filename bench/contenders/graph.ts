import { createGraph, type GraphOptions } from 'kithgraph'
import { createMemoryStore, type MemoryStore } from 'kithgraph/memory'
import type { Store } from '../../src/store/contract.ts'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { DATED_PHOTOS, PHOTOS } from '../data/expressions.ts'
import type { SocialData } from '../data/social-data.ts'
import type { DatedReader } from './contender.ts'

const BATCH = 1000

/** Writes in batches, as a loader does. */
export const fillStore = async (store: Store, mutations: Iterable<StoreMutation>): Promise<void> => {
  let batch: StoreMutation[] = []
  for (const mutation of mutations) {
    batch.push(mutation)
    if (batch.length < BATCH) continue
    await store.write(batch, { signal: undefined })
    batch = []
  }
  await store.write(batch, { signal: undefined })
}

/** Converts the social data to mutations that fill a store. */
export const toMutations = ({ people, photos, comments }: SocialData): StoreMutation[] => [
  ...people.map(
    ({ id, name }): StoreMutation => ({ op: 'putNode', node: { id, type: 'user', fields: { name } } }),
  ),
  ...photos.flatMap(({ id, owner, name, time }): StoreMutation[] => [
    { op: 'putNode', node: { id, type: 'photo', fields: { created_time: time, name, from: owner } } },
    { op: 'putEdge', edge: { source: owner, name: 'photos', target: id, time } },
  ]),
  ...comments.flatMap(({ id, photo, from, message, time }): StoreMutation[] => [
    { op: 'putNode', node: { id, type: 'comment', fields: { created_time: time, message, from } } },
    { op: 'putEdge', edge: { source: photo, name: 'comments', target: id, time } },
  ]),
]

/** Creates a memory store that contains the social data. */
export const createSocialStore = async (data: SocialData): Promise<MemoryStore> => {
  const store = createMemoryStore()
  await fillStore(store, toMutations(data))
  return store
}

/** Our implementation: the graph, and the token of each viewer. */
export type GraphReader = DatedReader & {
  readonly graph: ReturnType<typeof createGraph>
  tokenOf(viewer: string): string
}

/** Creates a graph over the social data. Each read uses the viewer's own issued token. */
export const createGraphReader = async (
  name: string,
  store: Store,
  viewers: readonly string[],
  options: GraphOptions = {},
): Promise<GraphReader> => {
  const graph = createGraph(store, options)
  const { getMe, tokens } = graph
  const issued = new Map<string, string>()
  for (const viewer of viewers) {
    issued.set(viewer, await tokens.issue({ viewer, app: 'bench', scopes: ['user_photos'] }))
  }
  const tokenOf = (viewer: string): string => issued.get(viewer) ?? ''
  return {
    name,
    graph,
    tokenOf,
    getMe: viewer => getMe(tokenOf(viewer)),
    getPhotos: viewer => getMe(tokenOf(viewer), { fields: PHOTOS }),
    getDatedPhotos: viewer => getMe(tokenOf(viewer), { fields: DATED_PHOTOS }),
  }
}
