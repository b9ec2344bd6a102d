import { findListFlags } from '../schema/list-flags.ts'
import type { Schema } from '../schema/schema.ts'
import type { Store } from '../store/contract.ts'
import { EMPTY_REQUEST, UNTIMED_OPTIONS } from '../store/requests.ts'

/** Which collections and further orders of a schema a store keeps completely. */
export type ListStates = {
  /** The keys of the complete lists. */
  readonly completeLists: ReadonlySet<string>
  /** The other lists in words: `the order top of comments`. */
  readonly incompleteLists: readonly string[]
}

/** Reads the completion flags of a schema. The store must be open. */
export const readListStates = async (store: Store, schema: Schema): Promise<ListStates> => {
  const flagsByList = findListFlags(schema)
  const flags = [...flagsByList.values()].flatMap(list => list.flags)
  const result =
    flags.length === 0
      ? undefined
      : await store.read({ ...EMPTY_REQUEST, flags }, { ...UNTIMED_OPTIONS, minRevision: 'newest' })
  const setFlags = new Set(flags.filter((_, index) => result?.flags?.[index]))
  const lists = [...flagsByList].map(([key, { description, flags: listFlags }]) => ({
    key,
    description,
    isComplete: listFlags.every(flag => setFlags.has(flag)),
  }))
  return {
    completeLists: new Set(lists.flatMap(({ key, isComplete }) => (isComplete ? key : []))),
    incompleteLists: lists.flatMap(({ description, isComplete }) => (isComplete ? [] : description)),
  }
}
