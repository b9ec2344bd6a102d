import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Query } from '../target/query.ts'
import { parsePath, readPath, type Target } from '../target/target.ts'

/** What is being put together: all that the next request says. */
export type RequestState = {
  /** In memory alone. */
  readonly token: Signal<string>
  /** Empty until the schema is known. */
  readonly version: Signal<string>
  readonly path: Signal<string>
  readonly fields: Signal<string>
  readonly query: ReadonlySignal<Query>
  readonly target: ReadonlySignal<Target>
  /** Takes over what a path or link says: its version and fields too where it has them. */
  readonly take: (text: string) => void
  readonly set: (query: Partial<Query>) => void
}

/** The request that is being put together, `me` at first. */
export const createRequestState = (graphUrl: string, token: string): RequestState => {
  const [path, fields, version] = [signal('me'), signal(''), signal('')]
  const set = (query: Partial<Query>): void => {
    if (query.path !== undefined) path.value = query.path
    if (query.fields !== undefined) fields.value = query.fields
    if (query.version !== undefined) version.value = query.version
  }
  return {
    token: signal(token),
    version,
    path,
    fields,
    query: computed(() => ({ version: version.value, path: path.value, fields: fields.value })),
    target: computed(() => parsePath(path.value)),
    take: text => {
      const read = readPath(text, graphUrl)
      set({
        path: read.path,
        ...(read.fields !== undefined && { fields: read.fields }),
        ...(read.version !== undefined && { version: read.version }),
      })
    },
    set,
  }
}
