import { createGraph, type Store } from 'kithgraph'
import { NOW } from './content.ts'
import { madeUpRecords } from './made-up.ts'
import { findId, novelRecords } from './novel.ts'
import { demoSchema } from './schema.ts'

/** The scopes of the first token. The second token has no scopes. */
export const SCOPES = ['email', 'user_birthday', 'user_friends', 'user_photos', 'user_posts']

/** Stores of servers require a secret. A secret that everyone can read is acceptable only in a demo. */
const SECRET = 'everyone can read this secret'

/**
 * Loads the sample data, and issues two tokens for Marius: one with scopes and one without. Loading the data
 * again into the same store changes nothing.
 */
export const createDemo = async (store: Store) => {
  const graph = createGraph(store, { schema: demoSchema, now: () => NOW, secret: SECRET })
  await graph.load(novelRecords())
  await graph.load(madeUpRecords())
  const viewer = findId('Marius')
  return {
    graph,
    token: await graph.tokens.issue({ viewer, app: 'demo', scopes: SCOPES }),
    unscopedToken: await graph.tokens.issue({ viewer, app: 'demo', scopes: [] }),
  }
}

/** A graph with sample data, and its tokens. */
export type Demo = Awaited<ReturnType<typeof createDemo>>
