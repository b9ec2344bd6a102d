import { createGraph, type GraphOptions } from 'kithgraph'
import { NOW, worldStore } from '../../helpers/world.ts'
import { faultOf } from '../abuse/fault-of.ts'

/** The world with a clock that the test moves. */
export const clockedWorld = async (options: Pick<GraphOptions, 'secret' | 'requireProof'> = {}) => {
  const clock = { now: NOW }
  const store = await worldStore()
  const graph = createGraph(store, {
    now: () => clock.now,
    appSecrets: { demo: 'the secret of demo' },
    ...options,
  })
  return { clock, store, graph, ...graph.tokens }
}

/** Why a call is refused. */
export const reasonOf = async (promise: Promise<unknown>): Promise<string> =>
  (await faultOf(promise)).data.reason
