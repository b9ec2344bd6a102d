import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { isNonArrayObject, type JsonValue } from '../../../base/json.ts'
import type { EdgeView } from '../../schema-view.ts'
import { parseError } from '../response/error-details.ts'
import { findType } from '../schema/lookup.ts'
import { printRequestPath } from '../target/query.ts'
import { isRootTarget, ROOT_ID } from '../target/target.ts'
import { debounceEffect } from './debounce-effect.ts'
import type { RequestState } from './request-state.ts'
import type { SchemaState } from './schema-state.ts'
import type { Transport } from './transport.ts'

/** The number of nodes of a collection, or the message of the error. */
export type CollectionCount = { readonly count?: number; readonly error?: string }

/** The collections of the schema, and their counts by name as far as they are known. */
export type CollectionsState = {
  readonly collections: ReadonlySignal<readonly EdgeView[]>
  readonly counts: ReadonlySignal<ReadonlyMap<string, CollectionCount>>
}

/** The number of collections that are counted. Each needs a request. */
const MAX_COUNTED = 24

const parseCount = (body: JsonValue | undefined): CollectionCount => {
  const error = parseError(body)
  if (error !== undefined) return { error: error.message }
  const summary = isNonArrayObject(body) ? body.summary : undefined
  const count = isNonArrayObject(summary) ? summary.total_count : undefined
  return typeof count === 'number' ? { count } : {}
}

/** Creates the state of the collections. They are counted when the page shows their list. */
export const createCollectionsState = (
  request: RequestState,
  { schema }: SchemaState,
  { requestGraph }: Transport,
): CollectionsState => {
  const { token, version, mode, target } = request
  const counts = signal<ReadonlyMap<string, CollectionCount>>(new Map())
  const collections = computed(
    () => (schema.value === undefined ? undefined : findType(schema.value, ROOT_ID))?.edges ?? [],
  )
  const isShown = computed(() => mode.value === 'table' && isRootTarget(target.value))
  const countCollection = async (name: string, signal: AbortSignal): Promise<void> => {
    const query = { version: version.peek(), path: `${ROOT_ID}/${name}?limit=0&summary=true`, fields: 'id' }
    const { body } = await requestGraph(printRequestPath(query), token.peek(), signal)
    if (!signal.aborted) counts.value = new Map([...counts.peek(), [name, parseCount(body)]])
  }
  debounceEffect(
    () => ({ token: token.value, listed: isShown.value ? collections.value : [] }),
    async ({ token, listed }, signal) => {
      counts.value = new Map()
      if (token === '') return
      // Without a value of a required parameter, there is nothing to count.
      const countable = listed.filter(({ parameters = [] }) => !parameters.some(({ required }) => required))
      // A failure of the network is shown by the request of the page itself.
      await Promise.allSettled(
        countable.slice(0, MAX_COUNTED).map(({ name }) => countCollection(name, signal)),
      )
    },
  )
  return { collections, counts }
}
