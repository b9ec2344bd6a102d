import { isGraphError } from 'kithgraph'
import { NaiveFault } from './naive-graph/answer.ts'
import type { NaiveGraph } from './naive-graph/naive-graph.ts'
import { printItems } from './naive-graph/query.ts'
import type { openWorld } from './open-world.ts'
import type { Question } from './query-arbitraries.ts'

type Graph = Awaited<ReturnType<typeof openWorld>>['graph']
type Asker = Parameters<Graph['getMe']>[0]

/** An answer, or why there is none. */
export type Outcome = { readonly answer: unknown } | { readonly fault: string }

/** Runs a call to its outcome; whatever is no fault of the graph is thrown on. */
export const outcomeOf = async (call: () => unknown): Promise<Outcome> => {
  try {
    return { answer: await call() }
  } catch (error) {
    if (isGraphError(error)) return { fault: error.data.reason }
    if (error instanceof NaiveFault) return { fault: error.reason }
    throw error
  }
}

/** Asks a graph. */
export const ask = (
  graph: Graph,
  asker: Asker,
  { fields: items, style, ...question }: Question,
): Promise<unknown> => {
  const fields = items.length === 0 ? undefined : printItems(items, style)
  switch (question.method) {
    case 'getMe': {
      const { method: _, ...call } = question
      return graph.getMe(asker, { ...call, fields })
    }
    case 'getNode': {
      const { method: _, ...call } = question
      return graph.getNode(asker, { ...call, fields })
    }
    case 'getNodes': {
      const { method: _, ...call } = question
      return graph.getNodes(asker, { ...call, fields })
    }
    case 'getEdge': {
      const { method: _, ...call } = question
      return graph.getEdge(asker, { ...call, fields })
    }
  }
}

/** Asks the naive graph the same. */
export const askNaive = (naive: NaiveGraph, question: Question): object => {
  switch (question.method) {
    case 'getMe':
      return naive.getMe(question)
    case 'getNode':
      return naive.getNode(question)
    case 'getNodes':
      return naive.getNodes(question)
    case 'getEdge':
      return naive.getEdge(question)
  }
}
