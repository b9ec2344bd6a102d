import { finishAuth, type StartedAuth } from '../access/auth.ts'
import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import { type GraphError, toGraphError } from '../base/errors.ts'
import { EMPTY_READ_RESULT, type ReadTask, waitFor } from '../core/batching.ts'
import type { Formatter, FormatterConstructor, ResultForms } from '../format/formatter.ts'
import { waitForComputedFields } from '../read/computed-fields.ts'
import { ScanLimitError } from '../read/scan-limit.ts'
import type { StoreReadRequest } from '../store/contract.ts'
import { EMPTY_REQUEST, isEmptyRequest } from '../store/requests.ts'
import { settleInTime } from '../store/settle-in-time.ts'
import { CallReader } from './call-reader.ts'
import { acceptToken, mustAwaitSession, startAuth } from './call-session.ts'
import { contextOf, type FormattedRead, type Query, type ReadOperation, startSession } from './query.ts'

/** A prepared read with the request for its roots, or the error in its options. */
type Preparation<TPrepared> =
  | { readonly prepared: TPrepared; readonly rootRequest: StoreReadRequest | undefined }
  | { readonly error: unknown }

const prepare = <TInput, TPrepared>(
  query: Query<TInput>,
  operation: ReadOperation<TInput, TPrepared, unknown>,
): Preparation<TPrepared> => {
  try {
    const prepared = operation.prepare(query)
    // With a session, the roots are validated before the request for them is created.
    const isEarly = query.context === undefined && !mustAwaitSession(query)
    const rootRequest = isEarly ? operation.rootRequest(query, prepared) : undefined
    return { prepared, rootRequest }
  } catch (error) {
    return { error }
  }
}

const createFirstRequest = (
  preparation: Preparation<unknown>,
  startedAuth: StartedAuth | undefined,
): StoreReadRequest => {
  const rootRequest = 'error' in preparation ? undefined : preparation.rootRequest
  if (startedAuth === undefined) return rootRequest ?? EMPTY_REQUEST
  const { nodes, ranges, checks, fields } = rootRequest ?? EMPTY_REQUEST
  return { nodes, ranges, checks, tokens: startedAuth.digests, fields }
}

/**
 * Reads the token, the roots and everything else. Roots that do not need the session are read together with
 * the token, unless the store reads by session. Errors take precedence in this order: token, proof of
 * possession, options of the call. `startedAuth` is undefined if the caller passed a session.
 */
function* readAll<TInput, TPrepared, TRead>(
  query: Query<TInput>,
  operation: ReadOperation<TInput, TPrepared, TRead>,
  startedAuth: StartedAuth | undefined,
): ReadTask<TRead> {
  const preparation = prepare(query, operation)
  const firstRequest = createFirstRequest(preparation, startedAuth)
  let roots = isEmptyRequest(firstRequest) ? EMPTY_READ_RESULT : yield firstRequest
  if (startedAuth !== undefined) {
    const { signal, deadline } = query.readOptions
    const authResult = finishAuth(startedAuth, roots.tokens, signal)
    acceptToken(
      query,
      isPromiseLike(authResult) ? yield* waitFor(settleInTime(authResult, signal, deadline)) : authResult,
      roots.tokens,
    )
  }
  if ('error' in preparation) throw preparation.error
  const context = contextOf(query)
  const { prepared, rootRequest } = preparation
  if (rootRequest === undefined) {
    if (context.readsAhead && operation.validateRoots !== undefined)
      yield* operation.validateRoots(context, prepared)
    const request = operation.rootRequest(query, prepared)
    if (request === undefined) throw new Error('A read has no roots, although its call has a session')
    roots = isEmptyRequest(request) ? EMPTY_READ_RESULT : yield request
  }
  const readResult = yield* operation.read(context, prepared, roots)
  if (context.computedFields !== undefined) yield* waitFor(waitForComputedFields(context))
  return readResult
}

/** Creates the task of a read, and starts a passed session. @throws GraphError `token_missing`. */
const createReadTask = <TInput, TPrepared, TRead>(
  query: Query<TInput>,
  operation: ReadOperation<TInput, TPrepared, TRead>,
): ReadTask<TRead> => {
  if (query.session === undefined) return readAll(query, operation, startAuth(query))
  startSession(query, query.session)
  return readAll(query, operation, undefined)
}

/**
 * A call that exceeds its scan limit is charged the limit divided by this number, in addition to its cost.
 */
const SCAN_CHARGE_DIVISOR = 100

/** Ends a call, and reports it. */
const finish = (query: Query, reader: CallReader, error: GraphError | undefined): void => {
  reader.releaseScanSlot()
  const { reporter, context, scanLimit } = query
  reporter?.reportQuery(error, context?.policyEvaluator.denials ?? [], scanLimit.examinedByEdge)
}

/** Ends a call with an error, and charges a call that exceeds its scan limit. Returns the error to throw. */
const finishWithError = (query: Query, reader: CallReader, error: unknown): GraphError => {
  const { engine, hooks, context, token } = query
  if (error instanceof ScanLimitError && context !== undefined)
    hooks?.chargeScanExcess(Math.ceil(engine.limits.scan / SCAN_CHARGE_DIVISOR), context.session)
  const maskedError = engine.masking.maskError(toGraphError(error), token)
  finish(query, reader, maskedError)
  context?.readGuard?.assertDeclaredReads()
  return maskedError
}

const finishAsync = async <TResult>(
  query: Query,
  reader: CallReader,
  pendingResult: PromiseLike<TResult>,
): Promise<TResult> => {
  try {
    return finishWithResult(query, reader, await pendingResult)
  } catch (error) {
    throw finishWithError(query, reader, error)
  }
}

const finishWithResult = <TResult>(
  query: Query,
  reader: CallReader,
  result: Awaitable<TResult>,
): Awaitable<TResult> => {
  if (isPromiseLike(result)) return finishAsync(query, reader, result)
  query.context?.readGuard?.assertDeclaredReads()
  finish(query, reader, undefined)
  return result
}

/**
 * Runs a read and returns what it read. The result is a promise only if a step returns a promise.
 *
 * @throws GraphError for every error. If the result is a promise, the promise rejects with the error instead.
 */
export const runRead = <TInput, TPrepared, TRead>(
  query: Query<TInput>,
  operation: ReadOperation<TInput, TPrepared, TRead>,
): Awaitable<TRead> => {
  const reader = new CallReader(query)
  try {
    const task = createReadTask(query, operation)
    const isOnSnapshot = query.engine.consistency === 'snapshot'
    const result = isOnSnapshot ? reader.runOnSnapshot(() => reader.run(task)) : reader.run(task)
    return finishWithResult(query, reader, result)
  } catch (error) {
    throw finishWithError(query, reader, error)
  }
}

/** Formats the rows that were read, and completes the result. */
const format = <TInput, TRead, TForm extends keyof ResultForms, TForms extends ResultForms>(
  query: Query<TInput>,
  operation: Pick<FormattedRead<TInput, unknown, TRead, TForm>, 'format'>,
  reader: CallReader,
  FormatterClass: FormatterConstructor<TForms>,
  readResult: TRead,
): Awaitable<TForms[TForm]> => {
  const context = contextOf(query)
  const formatter = new FormatterClass(context)
  const formatted = operation.format(context, readResult, formatter)
  const result = 'result' in formatted ? formatted.result : reader.run(formatted)
  return isPromiseLike(result) ? completeLater(formatter, result) : formatter.complete(result)
}

// Separate functions: a closure would keep its variables in memory even in calls without a promise.
const completeLater = async <TForms extends ResultForms, TForm extends keyof ResultForms>(
  formatter: Formatter<TForms>,
  pendingResult: PromiseLike<TForms[TForm]>,
): Promise<TForms[TForm]> => formatter.complete(await pendingResult)

const formatLater = async <TInput, TRead, TForm extends keyof ResultForms, TForms extends ResultForms>(
  query: Query<TInput>,
  operation: Pick<FormattedRead<TInput, unknown, TRead, TForm>, 'format'>,
  reader: CallReader,
  FormatterClass: FormatterConstructor<TForms>,
  pendingRead: PromiseLike<TRead>,
): Promise<TForms[TForm]> => format(query, operation, reader, FormatterClass, await pendingRead)

const readAndFormat = <TInput, TRead, TForm extends keyof ResultForms, TForms extends ResultForms>(
  query: Query<TInput>,
  operation: Pick<FormattedRead<TInput, unknown, TRead, TForm>, 'format'>,
  reader: CallReader,
  FormatterClass: FormatterConstructor<TForms>,
  task: ReadTask<TRead>,
): Awaitable<TForms[TForm]> => {
  const pendingRead = reader.run(task)
  return isPromiseLike(pendingRead)
    ? formatLater(query, operation, reader, FormatterClass, pendingRead)
    : format(query, operation, reader, FormatterClass, pendingRead)
}

/** Formats the result before the snapshot is closed, so that a slow close does not delay the formatting. */
const readAndFormatOnSnapshot = <TInput, TRead, TForm extends keyof ResultForms, TForms extends ResultForms>(
  query: Query<TInput>,
  operation: Pick<FormattedRead<TInput, unknown, TRead, TForm>, 'format'>,
  reader: CallReader,
  FormatterClass: FormatterConstructor<TForms>,
  task: ReadTask<TRead>,
): Promise<TForms[TForm]> =>
  reader.runOnSnapshot(() => readAndFormat(query, operation, reader, FormatterClass, task))

/**
 * Runs a read and returns its formatted result. The result is a promise only if a step returns a promise.
 *
 * @throws GraphError for every error. If the result is a promise, the promise rejects with the error instead.
 */
export const runQuery = <
  TInput,
  TPrepared,
  TRead,
  TForm extends keyof ResultForms,
  TForms extends ResultForms,
>(
  query: Query<TInput>,
  operation: FormattedRead<TInput, TPrepared, TRead, TForm>,
  FormatterClass: FormatterConstructor<TForms>,
): Awaitable<TForms[TForm]> => {
  const reader = new CallReader(query)
  try {
    const task = createReadTask(query, operation)
    const run = query.engine.consistency === 'snapshot' ? readAndFormatOnSnapshot : readAndFormat
    return finishWithResult(query, reader, run(query, operation, reader, FormatterClass, task))
  } catch (error) {
    throw finishWithError(query, reader, error)
  }
}
