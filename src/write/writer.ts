import { describe } from '../base/describe.ts'
import { invalidMutation } from '../base/faults.ts'
import { assertOptions } from '../base/options.ts'
import type { Registry } from '../schema/registry.ts'
import type { Store } from '../store/contract.ts'
import type { Refuse } from './check-batch.ts'
import { createCommit, type Written } from './commit.ts'
import { draftOfMutation, readDraft } from './draft.ts'
import { type LoadCounts, type LoadOptions, type LoadSource, load } from './load.ts'
import type { WriteMutation } from './mutation.ts'
import { ownCopy } from './own-copy.ts'
import { writeSchema } from './write-schema.ts'

/** How to write. */
export type WriteOptions = { readonly signal?: AbortSignal | undefined }

/** The writing half of a graph: what goes through it fits the schema. */
export type Writer = {
  /**
   * Checks mutations, each after the effects of those before it, and writes all of them as one batch, or none.
   *
   * @throws GraphError `invalid_mutation` for the first that does not fit, with its 0-based `index`, the `path` in it,
   * what was `expected` and what `came`; TypeError where `mutations` is no list.
   */
  write(mutations: readonly WriteMutation[], options?: WriteOptions): Promise<Written>
  /**
   * Writes the records of NDJSON, `{"node":…}` or `{"edge":…}` a line, or of an (async) iterable of such objects, in
   * bounded memory. Both ends of an edge come before it or are there already; loading what is there changes nothing.
   *
   * @throws GraphError `invalid_mutation` for the first record that does not fit, with its 1-based `line`, unless
   * `onFault` has it skipped: nothing of its batch is written, and the batches before it stay; `aborted` once the
   * signal is. TypeError for a source that cannot be iterated and for unknown options.
   */
  load(source: LoadSource, options?: LoadOptions): Promise<LoadCounts>
}

/** What a writer works on. */
export type WriterParts = {
  readonly registry: Registry
  readonly store: Store
  /** Milliseconds since the epoch: the time of edges that are written without one. */
  readonly now: () => number
}

export const createWriter = ({ registry, store, now }: WriterParts): Writer => {
  const commit = createCommit(writeSchema(registry.schema), store)
  return Object.freeze({
    async write(mutations: readonly WriteMutation[], options: WriteOptions = {}) {
      if (!Array.isArray(mutations)) {
        throw new TypeError(`write: expected a list of mutations, came ${describe(mutations)}`)
      }
      assertOptions('write', options, ['signal'])
      const time = now()
      // Not `map`, which would pass over the holes of a list.
      const items = Array.from(mutations, (mutation, index) => ({
        index,
        draft: readDraft(() => draftOfMutation(ownCopy(mutation), time)),
      }))
      const refuse: Refuse<{ readonly index: number }> = ({ index }, { path, expected, came }) => {
        throw invalidMutation(index, path, expected, came)
      }
      return commit(items, refuse, options.signal)
    },
    load: (source: LoadSource, options?: LoadOptions) => load(commit, source, options),
  })
}
