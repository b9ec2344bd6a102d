import { createGraph, type GraphOptions } from 'kithgraph'
import { createWorldStore, NOW } from '../../helpers/world.ts'
import { expectGraphError } from '../abuse/expect-graph-error.ts'

/** Opens the world with a clock that the test moves. */
export const openClockedWorld = async (options: Pick<GraphOptions, 'secret' | 'requireProof'> = {}) => {
  const clock = { now: NOW }
  const store = await createWorldStore()
  const graph = createGraph(store, {
    now: () => clock.now,
    appSecrets: { demo: 'the secret of demo' },
    ...options,
  })
  return { clock, store, graph, ...graph.tokens }
}

/** Returns the reason of the error of a call. */
export const catchReason = async (promise: Promise<unknown>): Promise<string> =>
  (await expectGraphError(promise)).reason
