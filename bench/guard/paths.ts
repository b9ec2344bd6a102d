import type { Store } from 'kithgraph'
import { createHandler } from 'kithgraph/http'
import type { Mutation } from '../../src/store/contract.ts'
import { createCompiler } from '../contenders/compiler.ts'
import { createGraphReader, fillStore, mutationsOf } from '../contenders/graph.ts'
import { createSocialData } from '../data/social-data.ts'

/** What is guarded: each answers the same, from the same state, however often it is called. */
export type Paths = { readonly [name: string]: () => unknown }

const PEOPLE = 300
const LIKES = 100
const PAGE_ID = '1'
/** Without one the hash of bodies has a random key, and what it takes without a compiler varies with it. */
const SECRET = 'the secret of the guard'

const listMutations = (): Mutation[] => [
  { op: 'putNode', node: { id: PAGE_ID, type: 'page', fields: { name: 'A page' } } },
  ...createSocialData(PEOPLE)
    .people.slice(0, LIKES)
    .map(({ id }, index): Mutation => {
      return { op: 'putEdge', edge: { source: PAGE_ID, name: 'likes', target: id, time: index * 1000 } }
    }),
]

/** The paths over a store, which is filled first. */
export const createPaths = async (store: Store): Promise<Paths> => {
  const data = createSocialData(PEOPLE)
  const [viewer = ''] = data.viewers
  await fillStore(store, mutationsOf(data))
  await fillStore(store, listMutations())
  const { graph, tokenOf, getMe, getPhotos } = await createGraphReader('kithgraph', store, [viewer], {
    secret: SECRET,
  })
  const token = tokenOf(viewer)
  const { answer } = createHandler(graph)
  const headers = { authorization: `Bearer ${token}` }
  return {
    getMe: () => getMe(viewer),
    'the read of 71 nodes': () => getPhotos(viewer),
    'a page of 25 entries': () =>
      graph.getEdge(token, { id: PAGE_ID, type: 'page', edge: 'likes', summary: true }),
    'handler.answer of /me': () => answer({ method: 'GET', url: '/me', headers }),
    'compiling the expression of 71 nodes': createCompiler(),
  }
}
