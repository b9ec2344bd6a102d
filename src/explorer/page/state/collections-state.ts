import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { EdgeView } from '../../schema-view.ts'
import { findType } from '../schema/lookup.ts'
import {
  type CollectionCount,
  countableNamesOf,
  parseCount,
  printCountPath,
} from '../table/collection-counts.ts'
import { isRootTarget, ROOT_ID } from '../target/target.ts'
import { debounceEffect } from './debounce-effect.ts'
import type { RequestState } from './request-state.ts'
import type { SchemaState } from './schema-state.ts'
import type { Transport } from './transport.ts'

/** The collections of the schema, and their counts by name as far as they are known. */
export type CollectionsState = {
  readonly collections: ReadonlySignal<readonly EdgeView[]>
  readonly counts: ReadonlySignal<ReadonlyMap<string, CollectionCount>>
  /** Counts the collections again if the page shows their list. */
  readonly countAgain: () => void
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
  const countings = signal(0)
  const isShown = computed(() => mode.value === 'table' && isRootTarget(target.value))
  const countCollection = async (name: string, signal: AbortSignal): Promise<void> => {
    const { body } = await requestGraph(printCountPath(version.peek(), name), token.peek(), signal)
    if (!signal.aborted) counts.value = new Map([...counts.peek(), [name, parseCount(body)]])
  }
  debounceEffect(
    () => ({
      token: token.value,
      countings: countings.value,
      names: isShown.value ? countableNamesOf(collections.value) : [],
    }),
    async ({ token, names }, signal) => {
      counts.value = new Map()
      if (token === '') return
      // A failure of the network is shown by the request of the page itself.
      await Promise.allSettled(names.map(name => countCollection(name, signal)))
    },
  )
  const countAgain = (): void => {
    countings.value++
  }
  return { collections, counts, countAgain }
}
