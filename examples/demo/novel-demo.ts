import type { Store } from 'kithgraph'
import { ACTION_SCOPES } from './actions.ts'
import { createDemo, type DemoOptions, SCOPES } from './graph.ts'
import { novelSize } from './novel.ts'
import { createActionRequests, createRequests, EXPLORER_FIELDS } from './requests.ts'
import type { ServedDemo } from './served-demo.ts'

const INTRODUCTION = `The graph has the ${novelSize.people} people of Les Misérables. Two people who appear together are friends.`
const ACTIONS_INTRODUCTION = `\
The first token may run actions: it publishes, edits, likes and deletes. What they write is only in memory, and ends
with the server.`

/** Loads the people of a novel into a store, and issues tokens for one of them. */
export const openNovelDemo = async (
  store: Store,
  { runsActions = false }: DemoOptions = {},
): Promise<ServedDemo> => {
  const demo = await createDemo(store, { runsActions })
  const scopes = runsActions ? [...SCOPES, ...ACTION_SCOPES] : SCOPES
  return {
    graph: demo.graph,
    token: demo.token,
    initialFields: EXPLORER_FIELDS,
    introduction: runsActions ? `${INTRODUCTION}\n${ACTIONS_INTRODUCTION}` : INTRODUCTION,
    runsActions,
    tokens: `\
Two access tokens of Marius. The first has the scopes ${scopes.join(', ')}.
The second has no scopes.

  ${demo.token}
  ${demo.unscopedToken}`,
    path: '/v1.0',
    createRequests: base => [
      ...createRequests(base, demo),
      ...(runsActions ? createActionRequests(base, demo) : []),
    ],
  }
}
