import { describeValue } from '../base/describe.ts'
import { invalidMutationError, isGraphError } from '../base/errors.ts'
import { assertObject, assertOptionKinds, type OptionKinds } from '../base/options.ts'
import { usageError } from '../base/usage-error.ts'
import type { Engine } from '../execute/engine.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import type { StoreMutation, StoreReadOptions, StoreReadRequest, StoreReadResult } from '../store/contract.ts'
import { assertConditionalWrites, createRandomBatchId } from '../write/batch-id.ts'
import type { WriteResult } from '../write/commit.ts'

/** How often an update is tried in all. */
const MAX_ATTEMPTS = 5

/** The maximum time of a read, in milliseconds. A store limits the time of a write itself. */
const READ_TIMEOUT_MS = 10_000

/** Reads the newest state of the store, past all policies. */
export type ReadNewest = (request: StoreReadRequest) => Promise<StoreReadResult>

const createReadNewest =
  ({ store }: Engine, signal: AbortSignal | undefined): ReadNewest =>
  async request => {
    const options: StoreReadOptions = {
      signal,
      deadline: Date.now() + READ_TIMEOUT_MS,
      minRevision: 'newest',
    }
    return store.read(request, options)
  }

/** @throws TypeError for an unknown, missing or invalid option, or a recipe that is not a function. */
export const assertUpdate = (
  location: string,
  options: unknown,
  kinds: OptionKinds,
  recipe: unknown,
): void => {
  assertObject(location, options)
  assertOptionKinds(location, options, kinds)
  const missing = Object.keys(kinds).find(name => kinds[name] === 'text' && options[name] === undefined)
  if (missing !== undefined) throw usageError(location, missing, 'a string', 'undefined')
  if (typeof recipe !== 'function') throw usageError(location, 'recipe', 'a function', describeValue(recipe))
}

const isConflict = (error: unknown): boolean => isGraphError(error) && error.reason === 'conflict'

/**
 * Waits for a random time before the next attempt, up to 2, 4, 8 and 16 milliseconds. Without a wait, writers
 * that conflict once would probably conflict again, and the other side of a mirrored edge may follow a moment
 * after the first one.
 */
const waitAfter = (attempt: number): Promise<void> =>
  new Promise(resolve => setTimeout(resolve, Math.random() * 2 ** attempt))

const toThrownError = (error: unknown): unknown =>
  error instanceof ValidationIssue
    ? invalidMutationError(0, error.path, error.expected, error.received)
    : error

/**
 * Writes the mutation that `prepare` returns after it has read the store. If another writer has changed the
 * same data in the meantime, both are done again, up to five times in all. Without a mutation, nothing is
 * written.
 *
 * @throws GraphError `conflict` after the fifth attempt, `invalid_mutation` for a {@link ValidationIssue}.
 */
export const writeUpdate = async (
  location: string,
  engine: Engine,
  signal: AbortSignal | undefined,
  prepare: (readNewest: ReadNewest) => Promise<StoreMutation | undefined>,
): Promise<WriteResult> => {
  engine.assertOpen(location)
  assertConditionalWrites(location, engine.store)
  const readNewest = createReadNewest(engine, signal)
  for (let attempt = 1; ; attempt++) {
    try {
      const mutation = await prepare(readNewest)
      if (mutation === undefined) return { revision: undefined }
      return await engine.store.write([mutation], { signal, batch: createRandomBatchId(engine.store) })
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isConflict(error)) throw toThrownError(error)
    }
    await waitAfter(attempt)
  }
}
