import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { ExplorerQuery, PageMode } from '../target/query.ts'
import { type PathTarget, parseLink, parsePath, ROOT_ID } from '../target/target.ts'

/** The request that the user edits. */
export type RequestState = {
  /** The token, which is kept only in memory. */
  readonly token: Signal<string>
  /** The version; empty until the schema has been loaded. */
  readonly version: Signal<string>
  readonly path: Signal<string>
  readonly fields: Signal<string>
  /** How the page shows the request. */
  readonly mode: Signal<PageMode>
  readonly query: ReadonlySignal<ExplorerQuery>
  readonly target: ReadonlySignal<PathTarget>
  /** Applies a path or link, including its version and fields, if any. */
  readonly setFromLink: (text: string) => void
  readonly setQuery: (query: Partial<ExplorerQuery>) => void
}

/** The values of the request when the page opens. */
export type InitialRequest = {
  readonly token: string
  /** The fields for the path `me`. */
  readonly fields: string
  readonly hasCollections: boolean
}

/** Creates the state of the request. The initial path is the node of collections if there are any, or `me`. */
export const createRequestState = (graphUrl: string, initial: InitialRequest): RequestState => {
  const { hasCollections } = initial
  const [path, version] = [signal(hasCollections ? ROOT_ID : 'me'), signal('')]
  const fields = signal(hasCollections ? '' : initial.fields)
  const setQuery = (query: Partial<ExplorerQuery>): void => {
    if (query.path !== undefined) path.value = query.path
    if (query.fields !== undefined) fields.value = query.fields
    if (query.version !== undefined) version.value = query.version
  }
  return {
    token: signal(initial.token),
    version,
    path,
    fields,
    mode: signal<PageMode>(hasCollections ? 'table' : 'query'),
    query: computed(() => ({ version: version.value, path: path.value, fields: fields.value })),
    target: computed(() => parsePath(path.value)),
    setFromLink: text => {
      const parsed = parseLink(text, graphUrl)
      setQuery({
        path: parsed.path,
        ...(parsed.fields !== undefined && { fields: parsed.fields }),
        ...(parsed.version !== undefined && { version: parsed.version }),
      })
    },
    setQuery,
  }
}
