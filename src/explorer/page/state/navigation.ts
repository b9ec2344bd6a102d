import { parseFragment, printFragment } from '../target/query.ts'
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
  entries.find(({ key, query }) => key === responseNumberOf(state) && printFragment(query) === location.hash)
    ?.response

/** Adds an entry to the browser's history, or replaces the current entry if its query is the same. */
const updateBrowserHistory = ({ query, sequenceNumber }: ExplorerResponse): void => {
  const fragment = printFragment(query)
  const isNew = location.hash !== '' && fragment !== location.hash
  history[isNew ? 'pushState' : 'replaceState']({ response: sequenceNumber }, '', fragment)
}

const createShareUrl = ({ query }: RequestState): string =>
  new URL(printFragment(query.peek()), location.href).href

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
    updateBrowserHistory(response)
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
  /**
   * Restores the response for an entry in the browser's history. If there is no response, for example after a
   * reload, restores only the request.
   */
  const restore = (state: unknown): void => {
    const pastResponse = findPastResponse(history.entries.peek(), state)
    if (pastResponse !== undefined) showResponse(pastResponse)
    else request.setQuery(parseFragment(location.hash) ?? {})
  }
  addEventListener('popstate', ({ state }) => restore(state))
  restore(undefined)
  return { run, openPath, openEntry, createShareUrl: () => createShareUrl(request) }
}
