import type { Store } from 'kithgraph'
import { createDemo, SCOPES } from './graph.ts'
import { novelSize } from './novel.ts'
import { createRequests, EXPLORER_FIELDS } from './requests.ts'
import type { ServedDemo } from './served-demo.ts'

/** Loads the people of a novel into a store, and issues tokens for one of them. */
export const openNovelDemo = async (store: Store): Promise<ServedDemo> => {
  const demo = await createDemo(store)
  return {
    graph: demo.graph,
    token: demo.token,
    initialFields: EXPLORER_FIELDS,
    introduction: `The graph has the ${novelSize.people} people of Les Misérables. Two people who appear together are friends.`,
    tokens: `\
Two access tokens of Marius. The first has the scopes ${SCOPES.join(', ')}.
The second has no scopes.

  ${demo.token}
  ${demo.unscopedToken}`,
    path: '/v1.0',
    createRequests: base => createRequests(base, demo),
  }
}
