import { describeValue } from '../base/describe.ts'
import { GraphError, invalidMutationError, isGraphError } from '../base/errors.ts'
import { assertObject, assertOptionKinds, type OptionKinds } from '../base/options.ts'
import type { Session } from '../base/session.ts'
import { usageError } from '../base/usage-error.ts'
import type { Engine } from '../execute/engine.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import { assertWritesData } from '../store/assert-writes.ts'
import type { StoreReadRequest, StoreReadResult } from '../store/contract.ts'
import type { StoreMutation } from '../store/mutations.ts'
import { parseWriteSession } from '../store/store-session.ts'
import { assertConditionalWrites, createRandomBatchId } from '../write/batch-id.ts'
import type { WriteResult } from '../write/commit.ts'
import { createNewestReadOptions } from '../write/newest-read.ts'

/** The maximum number of attempts. */
const MAX_ATTEMPTS = 5

/** Reads the newest state of the store, past all policies. */
export type ReadNewest = (request: StoreReadRequest) => Promise<StoreReadResult>

/** The options of an update that are not about its record. */
export type UpdateCallOptions = {
  readonly signal?: AbortSignal | undefined
  readonly session?: Session | undefined
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

/** The longest wait after the first attempt, in milliseconds. Each later one is twice as long. */
const FIRST_WAIT_MS = 20

/**
 * Waits for a random time before the next attempt, up to 20, 40, 80 and 160 milliseconds. Without a wait, writers
 * that conflict once would probably conflict again, and the other side of a mirrored edge may follow a moment
 * after the first one. Over a network, a read and a write take a few milliseconds.
 */
const waitAfter = (attempt: number): Promise<void> =>
  new Promise(resolve => setTimeout(resolve, Math.random() * FIRST_WAIT_MS * 2 ** (attempt - 1)))

const isConflict = (error: unknown): error is GraphError => isGraphError(error) && error.reason === 'conflict'

const FIELD_PREFIX = 'when.fields.'

/** Returns the error of the last attempt with a message for the caller, who has written no condition. */
const createAttemptsError = ({ data, cause, traceId }: GraphError): GraphError => {
  const path = `${data.path}`
  const changed = path.startsWith(FIELD_PREFIX)
    ? describeValue(path.slice(FIELD_PREFIX.length))
    : 'the record'
  return new GraphError(
    'conflict',
    `(#100) Other writers still changed ${changed} after ${MAX_ATTEMPTS} attempts`,
    data,
    { cause, traceId },
  )
}

const toThrownError = (error: unknown): unknown => {
  if (error instanceof ValidationIssue)
    return invalidMutationError(0, error.path, error.expected, error.received)
  return isConflict(error) ? createAttemptsError(error) : error
}

/**
 * Writes the mutations that `prepare` returns after it has read the store. If another writer has changed the
 * same data in the meantime, both are done again, up to five times in all. Without mutations, nothing is
 * written.
 *
 * @throws GraphError `conflict` after the fifth attempt, `invalid_mutation` for a {@link ValidationIssue};
 * TypeError for a session of another graph.
 */
export const writeUpdate = async (
  location: string,
  engine: Engine,
  options: UpdateCallOptions,
  prepare: (readNewest: ReadNewest) => Promise<readonly StoreMutation[]>,
): Promise<WriteResult> => {
  engine.assertOpen(location, options.session)
  assertWritesData(location, engine.store)
  assertConditionalWrites(location, engine.store)
  const { store } = engine
  const { signal } = options
  const session = parseWriteSession(location, engine, options.session)
  const readNewest: ReadNewest = async request =>
    store.read(request, createNewestReadOptions(signal, session))
  for (let attempt = 1; ; attempt++) {
    try {
      const mutations = await prepare(readNewest)
      if (mutations.length === 0) return { revision: undefined }
      const batch = createRandomBatchId(store)
      return await store.write(mutations, { signal, batch, ...(session && { session }) })
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isConflict(error)) throw toThrownError(error)
    }
    await waitAfter(attempt)
  }
}
