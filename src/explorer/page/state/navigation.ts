import { isSameQuery, type PageMode, parseFragment, parseMode, printFragment } from '../target/query.ts'
import type { ExplorerResponse } from './explorer-response.ts'
import type { HistoryEntry, HistoryState } from './history-state.ts'
import type { RequestState } from './request-state.ts'
import type { ResponseState } from './response-state.ts'

/** Navigation through the graph. Each step is an entry in the browser's history. */
export type Navigation = {
  /** Sends the current request. */
  readonly run: () => Promise<void>
  /** Opens a path or link, with the fields of the link or the default fields. */
  readonly openPath: (path: string) => Promise<void>
  /**
   * Shows the response of an earlier request. Sends the request again if the page has a token but no response
   * to the request.
   */
  readonly openEntry: (entry: HistoryEntry) => Promise<void>
  /** Adds a table without a response to the browser's history, so that users can return to it. */
  readonly saveTable: () => void
  /** Changes the mode. A table of a request without a response sends the request. */
  readonly setMode: (mode: PageMode) => void
  /** Returns the URL of the current request for sharing, without a token. */
  readonly createShareUrl: () => string
}

const responseNumberOf = (state: unknown): number | undefined =>
  typeof state === 'object' && state !== null && 'response' in state && typeof state.response === 'number'
    ? state.response
    : undefined

/**
 * Returns the response for an entry in the browser's history. Keys restart with each page load, so the query
 * must be equal too.
 */
const findPastResponse = (entries: readonly HistoryEntry[], state: unknown): ExplorerResponse | undefined =>
  entries.find(
    ({ key, query }) =>
      key === responseNumberOf(state) && printFragment(query, parseMode(location.hash)) === location.hash,
  )?.response

/** Adds an entry to the browser's history, or replaces the current entry if its request is the same. */
const updateBrowserHistory = (fragment: string, state: unknown): void => {
  const isNew = location.hash !== '' && fragment !== location.hash
  history[isNew ? 'pushState' : 'replaceState'](state, '', fragment)
}

const createShareUrl = ({ query, mode }: RequestState): string =>
  new URL(printFragment(query.peek(), mode.peek()), location.href).href

/** Creates the function that changes the mode. */
const createModeSetter =
  (request: RequestState, responses: ResponseState, run: () => Promise<void>): Navigation['setMode'] =>
  mode => {
    request.mode.value = mode
    const [query, response] = [request.query.peek(), responses.shownResponse.peek()]
    const isShown = response !== undefined && isSameQuery(response.query, query)
    if (mode === 'table' && !isShown && request.token.peek() !== '') void run()
    else updateBrowserHistory(printFragment(query, mode), history.state)
  }

/** Restores the requests of entries in the browser's history, and the responses if they are known. */
const restoreFromBrowserHistory = (
  request: RequestState,
  history: HistoryState,
  { run, showResponse }: Pick<Navigation, 'run'> & Pick<ResponseState, 'showResponse'>,
): void => {
  const restoreRequest = (): void => {
    const query = parseFragment(location.hash)
    if (query === undefined) return
    request.mode.value = parseMode(location.hash)
    request.setQuery(query)
  }
  addEventListener('popstate', ({ state }) => {
    const pastResponse = findPastResponse(history.entries.peek(), state)
    restoreRequest()
    if (pastResponse !== undefined) showResponse(pastResponse)
    // After a reload, the responses are not known. A table needs the response to its request.
    else if (request.mode.peek() === 'table' && request.token.peek() !== '') void run()
  })
  restoreRequest()
}

/**
 * Creates the navigation, which synchronizes the URL and the history with the shown response. Calls
 * `onResponse` with every new response.
 */
export const createNavigation = (
  request: RequestState,
  responses: ResponseState,
  history: HistoryState,
  onResponse: (response: ExplorerResponse) => Promise<void>,
): Navigation => {
  const showResponse = (response: ExplorerResponse): void => {
    request.setQuery(response.query)
    responses.showResponse(response)
  }
  const run = async (): Promise<void> => {
    request.setFromLink(request.path.peek())
    const response = await responses.run()
    if (response === undefined) return
    const { query, sequenceNumber } = response
    updateBrowserHistory(printFragment(query, request.mode.peek()), { response: sequenceNumber })
    await onResponse(response)
  }
  const openPath = (path: string): Promise<void> => {
    request.setQuery({ fields: '' })
    request.setFromLink(path)
    return run()
  }
  const openEntry = async ({ query, response }: HistoryEntry): Promise<void> => {
    if (response !== undefined) return showResponse(response)
    request.setQuery(query)
    if (request.token.peek() !== '') await run()
  }
  const saveTable = (): void => {
    const mode = request.mode.peek()
    if (mode === 'table') updateBrowserHistory(printFragment(request.query.peek(), mode), undefined)
  }
  restoreFromBrowserHistory(request, history, { run, showResponse })
  const setMode = createModeSetter(request, responses, run)
  return { run, openPath, openEntry, saveTable, setMode, createShareUrl: () => createShareUrl(request) }
}
