import type { Store } from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { createCompiler } from '../contenders/compiler.ts'
import { createGraphReader, fillStore, toMutations } from '../contenders/graph.ts'
import { createSocialData } from '../data/social-data.ts'

/** The measured paths. Each call starts from the same state and returns the same result. */
export type Paths = { readonly [name: string]: () => unknown }

const PEOPLE = 300
const LIKES = 100
const PAGE_ID = '1'
/**
 * The secret of the graph. Without it, the hash of bodies would have a random key. Without a compiler, the
 * work of the hash depends on the key.
 */
const SECRET = 'the secret of the guard'

const listMutations = (): StoreMutation[] => [
  { op: 'putNode', node: { id: PAGE_ID, type: 'page', fields: { name: 'A page' } } },
  ...createSocialData(PEOPLE)
    .people.slice(0, LIKES)
    .map(({ id }, index): StoreMutation => {
      return { op: 'putEdge', edge: { source: PAGE_ID, name: 'likes', target: id, time: index * 1000 } }
    }),
]

/** Fills the store and creates the paths over it. */
export const createPaths = async (store: Store): Promise<Paths> => {
  const data = createSocialData(PEOPLE)
  const [viewer = ''] = data.viewers
  await fillStore(store, toMutations(data))
  await fillStore(store, listMutations())
  const { graph, tokenOf, getMe, getPhotos } = await createGraphReader('kithgraph', store, [viewer], {
    secret: SECRET,
  })
  const token = tokenOf(viewer)
  const { respond } = createHandler(graph)
  const headers = { authorization: `Bearer ${token}` }
  return {
    getMe: () => getMe(viewer),
    'the read of 71 nodes': () => getPhotos(viewer),
    'a page of 25 entries': () =>
      graph.getEdge(token, { id: PAGE_ID, type: 'page', edge: 'likes', summary: true }),
    'handler.respond of /me': () => respond({ method: 'GET', url: '/me', headers }),
    'compiling the expression of 71 nodes': createCompiler(),
  }
}
