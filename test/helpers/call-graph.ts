import { isGraphError } from 'kithgraph'
import type { NaiveGraph } from './naive-graph/naive-graph.ts'
import { printItems } from './naive-graph/query.ts'
import { NaiveError } from './naive-graph/result-parts.ts'
import type { openWorld } from './open-world.ts'
import type { CallSpec } from './query-arbitraries.ts'

type Graph = Awaited<ReturnType<typeof openWorld>>['graph']
type Credentials = Parameters<Graph['getMe']>[0]

/** The result of a call, or the reason of its error. */
export type CallOutcome = { readonly result: unknown } | { readonly reason: string }

/** Runs a call and returns its outcome. Throws errors that are not a `GraphError` or a `NaiveError`. */
export const captureOutcome = async (call: () => unknown): Promise<CallOutcome> => {
  try {
    return { result: await call() }
  } catch (error) {
    if (isGraphError(error)) return { reason: error.reason }
    if (error instanceof NaiveError) return { reason: error.reason }
    throw error
  }
}

/** Runs a call on a graph. */
export const callGraph = (
  graph: Graph,
  credentials: Credentials,
  { fields: items, style, ...callSpec }: CallSpec,
): Promise<unknown> => {
  const fields = items.length === 0 ? undefined : printItems(items, style)
  switch (callSpec.method) {
    case 'getMe': {
      const { method: _, ...call } = callSpec
      return graph.getMe(credentials, { ...call, fields })
    }
    case 'getNode': {
      const { method: _, ...call } = callSpec
      return graph.getNode(credentials, { ...call, fields })
    }
    case 'getNodes': {
      const { method: _, ...call } = callSpec
      return graph.getNodes(credentials, { ...call, fields })
    }
    case 'getEdge': {
      const { method: _, ...call } = callSpec
      return graph.getEdge(credentials, { ...call, fields })
    }
  }
}

/** Runs a call on the naive graph. */
export const callNaiveGraph = (naive: NaiveGraph, callSpec: CallSpec): object => {
  switch (callSpec.method) {
    case 'getMe':
      return naive.getMe(callSpec)
    case 'getNode':
      return naive.getNode(callSpec)
    case 'getNodes':
      return naive.getNodes(callSpec)
    case 'getEdge':
      return naive.getEdge(callSpec)
  }
}
