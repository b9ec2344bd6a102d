import { createGraph, type Store } from 'kithgraph'
import { ACTION_SCOPES, demoActions } from './actions.ts'
import { NOW } from './content.ts'
import { madeUpRecords } from './made-up.ts'
import { findId, novelRecords } from './novel.ts'
import { demoSchema } from './schema.ts'

/** The scopes of the first token. The second token has no scopes. */
export const SCOPES = ['email', 'user_birthday', 'user_friends', 'user_photos', 'user_posts']

/** Stores of servers require a secret. A secret that everyone can read is acceptable only in a demo. */
const SECRET = 'everyone can read this secret'

/** The options of the demo. */
export type DemoOptions = {
  /** Whether the first token has the scopes of the actions, and the clock of the graph moves. Default false. */
  readonly runsActions?: boolean
}

/** Returns a clock that starts at the time of the demo and moves. */
const startClock = (): (() => number) => {
  const start = performance.now()
  return () => NOW + Math.floor(performance.now() - start)
}

/**
 * Loads the sample data, and issues two tokens for Marius: one with scopes and one without. Loading the data
 * again into the same store changes nothing.
 */
export const createDemo = async (store: Store, { runsActions = false }: DemoOptions = {}) => {
  const now = runsActions ? startClock() : () => NOW
  const graph = createGraph(store, { schema: demoSchema, actions: demoActions, now, secret: SECRET })
  await graph.load(novelRecords())
  await graph.load(madeUpRecords())
  const viewer = findId('Marius')
  const scopes = runsActions ? [...SCOPES, ...ACTION_SCOPES] : SCOPES
  return {
    graph,
    token: await graph.tokens.issue({ viewer, app: 'demo', scopes }),
    unscopedToken: await graph.tokens.issue({ viewer, app: 'demo', scopes: [] }),
  }
}

/** A graph with sample data, and its tokens. */
export type Demo = Awaited<ReturnType<typeof createDemo>>
