import { isNonArrayObject, type JsonValue } from '../../../base/json.ts'
import { type ExplorerQuery, isSameQuery } from '../target/query.ts'
import { removePathSecrets } from '../target/target.ts'

/** A request in the stored history, without its token and response. */
export type StoredRequest = ExplorerQuery & { readonly status: number }

/** The history in the storage of the browser. Its methods never throw. */
export type HistoryStorage = {
  /** Returns the stored requests, oldest first. */
  readonly read: () => readonly StoredRequest[]
  /** Adds a request, and removes an earlier one with the same query. */
  readonly add: (request: StoredRequest) => void
  readonly clear: () => void
}

/** The part of the browser's `localStorage` that the history uses. */
export type TextStorage = {
  getItem(key: string): string | null
  setItem(key: string, text: string): void
  removeItem(key: string): void
}

/** The number of requests in the history. */
export const MAX_HISTORY = 50
/** A longer path or expression is not stored. */
const MAX_STORED_LENGTH = 10_000
const VERSION_PATTERN = /^(?:v\d+\.\d+)?$/

const isStorableText = (value: JsonValue | undefined): value is string =>
  typeof value === 'string' && value.length <= MAX_STORED_LENGTH

/**
 * Parses one item of the storage, which other programs can change. Returns undefined if the item is not
 * valid.
 */
const parseRequest = (item: JsonValue): StoredRequest | undefined => {
  if (!isNonArrayObject(item)) return undefined
  const { version, path, fields, status } = item
  if (!isStorableText(version) || !VERSION_PATTERN.test(version)) return undefined
  if (!isStorableText(path) || !isStorableText(fields) || typeof status !== 'number') return undefined
  return { version, path: removePathSecrets(path), fields, status }
}

const parseRequests = (text: string | null): readonly StoredRequest[] => {
  const items: JsonValue = JSON.parse(text ?? '[]')
  return Array.isArray(items) ? items.flatMap(item => parseRequest(item) ?? []).slice(-MAX_HISTORY) : []
}

/**
 * Creates the stored history of one Explorer. The storage key contains the path of the page. `getStorage` may
 * throw, because a browser can forbid storage.
 */
export const createHistoryStorage = (getStorage: () => TextStorage, pathname: string): HistoryStorage => {
  const key = `kithgraph-explorer-history:${pathname}`
  const read = (): readonly StoredRequest[] => {
    try {
      return parseRequests(getStorage().getItem(key))
    } catch {
      return []
    }
  }
  const tryToStore = (store: (storage: TextStorage) => void): void => {
    try {
      store(getStorage())
    } catch {
      // Without storage, the history lasts as long as the page.
    }
  }
  return {
    read,
    add: request => {
      const storable = parseRequest(request)
      if (storable === undefined) return
      // Another tab may have added requests in the meantime.
      const others = read().filter(other => !isSameQuery(other, storable))
      const text = JSON.stringify([...others, storable].slice(-MAX_HISTORY))
      tryToStore(storage => storage.setItem(key, text))
    },
    clear: () => tryToStore(storage => storage.removeItem(key)),
  }
}
