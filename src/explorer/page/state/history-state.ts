import { type ReadonlySignal, signal } from '@preact/signals'
import { type ExplorerQuery, isSameQuery } from '../target/query.ts'
import type { ExplorerResponse } from './explorer-response.ts'
import { type HistoryStorage, MAX_HISTORY } from './history-storage.ts'

/** A request of the history. */
export type HistoryEntry = {
  /** The key of the entry, which is unique in the history. */
  readonly key: number
  readonly query: ExplorerQuery
  readonly status: number
  /** The response; undefined if the request was sent before the page was loaded. */
  readonly response: ExplorerResponse | undefined
}

/** The history: the requests of this page, and requests that the browser stored earlier. */
export type HistoryState = {
  /** The entries, oldest first. */
  readonly entries: ReadonlySignal<readonly HistoryEntry[]>
  readonly add: (response: ExplorerResponse) => void
  /** Removes all entries, also from the storage. */
  readonly clear: () => void
}

/** Creates the history. It begins with the stored requests, whose keys are negative. */
export const createHistoryState = (storage: HistoryStorage): HistoryState => {
  const storedEntries = storage.read().map(({ status, ...query }, index, { length }) => ({
    key: index - length,
    query,
    status,
    response: undefined,
  }))
  const entries = signal<readonly HistoryEntry[]>(storedEntries)
  return {
    entries,
    add: response => {
      const { sequenceNumber, query, httpResponse } = response
      const { status } = httpResponse
      const others = entries
        .peek()
        .filter(other => other.response !== undefined || !isSameQuery(other.query, query))
      entries.value = [...others, { key: sequenceNumber, query, status, response }].slice(-MAX_HISTORY)
      storage.add({ ...query, status })
    },
    clear: () => {
      entries.value = []
      storage.clear()
    },
  }
}
