import { parseFragment, printFragment } from '../target/query.ts'
import type { RequestState } from './request-state.ts'
import type { ExplorerResponse, ResponseState } from './response-state.ts'

/** Navigation through the graph. Each step is an entry of the browser's history. */
export type Navigation = {
  /** Sends the current request. */
  readonly run: () => Promise<void>
  /** Opens a path or link, with its own fields or the default ones. */
  readonly openPath: (path: string) => Promise<void>
  /** Shows an earlier response again, with its request. */
  readonly showResponse: (response: ExplorerResponse) => void
  /** Returns the URL of the current request for sharing, without a token. */
  readonly createShareUrl: () => string
}

const responseNumberOf = (state: unknown): number | undefined =>
  typeof state === 'object' && state !== null && 'response' in state && typeof state.response === 'number'
    ? state.response
    : undefined

/**
 * Returns the response of a history entry. Numbers start again with each page load, so a number from before a
 * reload may belong to another response.
 */
const findPastResponse = (
  responses: readonly ExplorerResponse[],
  state: unknown,
): ExplorerResponse | undefined =>
  responses.find(
    ({ sequenceNumber, query }) =>
      sequenceNumber === responseNumberOf(state) && printFragment(query) === location.hash,
  )

/**
 * Creates the navigation and synchronizes URL and history with the shown response. Calls `onResponse`
 * with every new response.
 */
export const createNavigation = (
  request: RequestState,
  responses: ResponseState,
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
    const fragment = printFragment(response.query)
    const isNew = location.hash !== '' && fragment !== location.hash
    history[isNew ? 'pushState' : 'replaceState']({ response: response.sequenceNumber }, '', fragment)
    await onResponse(response)
  }
  const openPath = (path: string): Promise<void> => {
    request.setQuery({ fields: '' })
    request.setFromLink(path)
    return run()
  }
  /**
   * Restores the response of a history entry. Without one, as after a reload, the request waits to be run.
   */
  const restore = (state: unknown): void => {
    const pastResponse = findPastResponse(responses.history.peek(), state)
    if (pastResponse !== undefined) showResponse(pastResponse)
    else request.setQuery(parseFragment(location.hash) ?? {})
  }
  addEventListener('popstate', ({ state }) => restore(state))
  restore(undefined)
  const createShareUrl = (): string => new URL(printFragment(request.query.peek()), location.href).href
  return { run, openPath, showResponse, createShareUrl }
}
