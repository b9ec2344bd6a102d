import { effect, type Signal, signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { isNonArrayObject, type JsonValue } from '../../../base/json.ts'
import { type ActionState, createActionState } from './action-state.ts'
import { type CollectionsState, createCollectionsState } from './collections-state.ts'
import { createExpressionState, type ExpressionState } from './expression-state.ts'
import { createGraphState, type GraphState } from './graph-state.ts'
import { createHistoryState, type HistoryState } from './history-state.ts'
import { createHistoryStorage } from './history-storage.ts'
import { createKnownNodes, type KnownNodes } from './known-nodes.ts'
import { createLeftOutLoader } from './left-out-loader.ts'
import { createNavigation, type Navigation } from './navigation.ts'
import { createRequestState, type RequestState } from './request-state.ts'
import { createResponseState, type ResponseState } from './response-state.ts'
import { createSchemaState, type SchemaState } from './schema-state.ts'
import { createTransport } from './transport.ts'

/** The settings that the server includes in the page. */
export type PageSettings = {
  /** The absolute URL of the graph, without a slash at the end. */
  readonly graphUrl: string
  readonly demoToken: string | undefined
  /** The tokens of the viewers among which the user chooses, by their names. */
  readonly viewers: ReadonlyMap<string, string>
  readonly initialFields: string
  /** Whether the schema has collections, on which the page then opens. */
  readonly hasCollections: boolean
}

/** Reads the settings from the page. */
export const readPageSettings = (page: Document): PageSettings => {
  const settings: JsonValue = JSON.parse(page.getElementById('settings')?.textContent ?? '{}')
  const { graphPath, demoToken, viewers, initialFields, hasCollections } = isNonArrayObject(settings)
    ? settings
    : {}
  const url = new URL(typeof graphPath === 'string' && graphPath !== '' ? graphPath : '/', page.baseURI)
  return {
    graphUrl: `${url.origin}${url.pathname}`.replace(/\/$/, ''),
    demoToken: typeof demoToken === 'string' ? demoToken : undefined,
    viewers: new Map(
      Object.entries(isNonArrayObject(viewers) ? viewers : {}).flatMap(([name, token]) =>
        typeof token === 'string' ? [[name, token] as const] : [],
      ),
    ),
    initialFields: typeof initialFields === 'string' ? initialFields : '',
    hasCollections: hasCollections === true,
  }
}

/** `auto` follows the system setting. */
export type Theme = 'auto' | 'light' | 'dark'

/** Creates the state of the theme, `auto` at first. */
const createThemeState = (page: Document): Signal<Theme> => {
  const theme = signal<Theme>('auto')
  effect(() => {
    page.documentElement.dataset.theme = theme.value
  })
  return theme
}

/** The views next to the request. */
export type ExplorerView = 'response' | 'graph' | 'code' | 'history' | 'actions'

/** The state of the page, with one member per concern. */
export type ExplorerState = {
  readonly settings: PageSettings
  readonly request: RequestState
  readonly schema: SchemaState
  readonly knownNodes: KnownNodes
  readonly expression: ExpressionState
  readonly responses: ResponseState
  readonly history: HistoryState
  readonly graph: GraphState
  readonly collections: CollectionsState
  readonly navigation: Navigation
  readonly actions: ActionState
  readonly theme: Signal<Theme>
  readonly view: Signal<ExplorerView>
}

/** Adds the initial request to the URL once the schema is loaded. If there is an initial token, sends it. */
const openWhenLoaded = (
  { demoToken }: PageSettings,
  { schema }: SchemaState,
  navigation: Navigation,
): void => {
  const disposeEffect = effect(() => {
    if (schema.value === undefined) return
    queueMicrotask(() => {
      disposeEffect()
      if (demoToken !== undefined) navigation.run().catch(reportError)
      else navigation.saveTable()
    })
  })
}

/** Creates the state, and opens the page. */
export const createExplorerState = (page: Document, settings: PageSettings): ExplorerState => {
  const transport = createTransport(settings.graphUrl)
  const { graphUrl, demoToken = '', initialFields, hasCollections } = settings
  const request = createRequestState(graphUrl, { token: demoToken, fields: initialFields, hasCollections })
  const schema = createSchemaState(request, transport)
  const knownNodes = createKnownNodes(request, schema, transport)
  const expression = createExpressionState(request, knownNodes, schema, transport)
  const history = createHistoryState(createHistoryStorage(() => localStorage, location.pathname))
  const loadLeftOutFields = createLeftOutLoader(request, schema, knownNodes, transport)
  const responses = createResponseState(request, expression, transport, loadLeftOutFields, history.add)
  const graph = createGraphState(request, schema, knownNodes, transport)
  const navigation = createNavigation(request, responses, history, graph.addResponse)
  effect(() => {
    void request.token.value
    graph.clear()
  })
  const collections = createCollectionsState(request, schema, transport)
  const readAgain = (): void => {
    collections.countAgain()
    void navigation.run()
  }
  const actions = createActionState(request, schema, knownNodes, transport, graphUrl, readAgain)
  openWhenLoaded(settings, schema, navigation)
  return {
    settings,
    request,
    schema,
    knownNodes,
    expression,
    responses,
    history,
    graph,
    collections,
    navigation,
    actions,
    theme: createThemeState(page),
    view: signal<ExplorerView>('response'),
  }
}

const ExplorerContext = createContext<ExplorerState | undefined>(undefined)

/** Provides the state to all components inside it. */
export const ExplorerProvider = ExplorerContext.Provider

/** Returns the state of the page. */
export const useExplorer = (): ExplorerState => {
  const state = useContext(ExplorerContext)
  if (state === undefined) throw new Error('A component of the Explorer is outside its provider')
  return state
}
