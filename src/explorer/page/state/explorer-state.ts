import { effect, type Signal, signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { type AnswerState, createAnswerState } from './answer-state.ts'
import { createExpressionState, type ExpressionState } from './expression-state.ts'
import { createGraphState, type GraphState } from './graph-state.ts'
import { createJourney, type Journey } from './journey.ts'
import { createKnownNodes, type KnownNodes } from './known-nodes.ts'
import { createRequestState, type RequestState } from './request-state.ts'
import { createSchemaState, type SchemaState } from './schema-state.ts'
import type { Settings } from './settings.ts'
import { createThemeState, type Theme } from './theme-state.ts'
import { createTransport } from './transport.ts'

/** What can be looked at beside the request. */
export type View = 'answer' | 'graph' | 'code' | 'history'

/** All that the page knows, each concern in a member of its own. */
export type ExplorerState = {
  readonly settings: Settings
  readonly request: RequestState
  readonly schema: SchemaState
  readonly nodes: KnownNodes
  readonly expression: ExpressionState
  readonly answers: AnswerState
  readonly graph: GraphState
  readonly journey: Journey
  readonly theme: Signal<Theme>
  readonly view: Signal<View>
}

/** Puts the state together. With a token to begin with, the first answer is asked for at once. */
export const createExplorerState = (page: Document, settings: Settings): ExplorerState => {
  const transport = createTransport(settings.graphUrl)
  const request = createRequestState(settings.graphUrl, settings.demoToken ?? '')
  const schema = createSchemaState(request, transport)
  const nodes = createKnownNodes(request, schema, transport)
  const expression = createExpressionState(request, nodes, schema, transport)
  const answers = createAnswerState(request, expression, transport)
  const graph = createGraphState(request, schema, nodes, transport)
  const journey = createJourney(request, answers, graph.add)
  effect(() => {
    void request.token.value
    graph.clear()
  })
  const stop = effect(() => {
    if (schema.schema.value === undefined || settings.demoToken === undefined) return
    queueMicrotask(() => {
      stop()
      journey.run().catch(reportError)
    })
  })
  return {
    settings,
    request,
    schema,
    nodes,
    expression,
    answers,
    graph,
    journey,
    theme: createThemeState(page),
    view: signal<View>('answer'),
  }
}

const Explorer = createContext<ExplorerState | undefined>(undefined)

/** Hands the state to all components below. */
export const ExplorerProvider = Explorer.Provider

/** The state of the page that a component is in. */
export const useExplorer = (): ExplorerState => {
  const state = useContext(Explorer)
  if (state === undefined) throw new TypeError('A component of the Explorer is outside of its provider')
  return state
}
