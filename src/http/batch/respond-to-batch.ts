import type { Awaitable } from '../../base/awaitable.ts'
import { type GraphError, isGraphError, toGraphError } from '../../base/errors.ts'
import { KEY_HEADER_NAME } from '../action-route.ts'
import type { BatchContext, ParsedRequest } from '../parsed-request.ts'
import { BatchBudget } from '../request-charges.ts'
import { ResponseSizeLimit } from '../response-size-limit.ts'
import { headerOf, LINKS_HEADER_NAME, type WireRequest, type WireResponse } from '../wire.ts'
import { type BatchItem, mayWrite, parseBatch } from './batch-item.ts'
import { invalidBatchError } from './invalid-batch.ts'
import { createLinkedSignals, type LinkedSignals } from './linked-signals.ts'
import { ReferenceResolver } from './reference-resolver.ts'
import { StepBudget } from './step-budget.ts'

/** The maximum cost of a batch, as a multiple of the maximum cost of a call. */
const BATCH_COST_FACTOR = 10
const MIN_ERROR_STATUS = 400
const SERVICE_UNAVAILABLE_STATUS = 503

/** Responds to the items of a batch. */
export interface ItemResponder {
  respondToItem(request: WireRequest, batch: BatchContext): Awaitable<WireResponse>
  /** Creates the response to an item that cannot be run. */
  respondWithItemError(error: GraphError): WireResponse
}

/**
 * The response to an item; undefined if the item did not finish in time or depends on an item that failed.
 */
type ItemResponse = WireResponse | undefined

const hasFailed = (response: ItemResponse): boolean =>
  response === undefined || response.status >= MIN_ERROR_STATUS

const createItemHeaders = (
  { headers, hasDependents }: BatchItem,
  { request }: ParsedRequest,
): WireRequest['headers'] => ({
  [LINKS_HEADER_NAME]: request.headers[LINKS_HEADER_NAME],
  ...headers,
  // A 304 response has no body that dependent items could use.
  ...(hasDependents && { 'if-none-match': undefined }),
})

/** Runs the items of a batch, each item after the items that it depends on. */
class ItemRunner {
  readonly #parsed: ParsedRequest
  readonly #batch: BatchContext
  readonly #responder: ItemResponder
  readonly #referenceResolver: ReferenceResolver
  readonly #responses: Promise<ItemResponse>[] = []
  readonly #startedActions = new Set<number>()

  constructor(parsed: ParsedRequest, batch: BatchContext, responder: ItemResponder) {
    this.#parsed = parsed
    this.#batch = batch
    this.#responder = responder
    const { limits } = parsed.context.settings
    this.#referenceResolver = new ReferenceResolver(new StepBudget(batch.deadline), limits.body)
  }

  /** Runs the items: one after another if one of them may write, so that each sees the writes of earlier ones. */
  async run(items: readonly BatchItem[], signals: LinkedSignals): Promise<ItemResponse[]> {
    const isInOrder = this.#parsed.context.engine.actions !== undefined && items.some(mayWrite)
    for (const [index, item] of items.entries()) {
      const response = this.#runItem(item, index, signals.getSignal(index))
      this.#responses.push(response)
      if (isInOrder) await response
    }
    return Promise.all(this.#responses)
  }

  /** Whether the item at an index names an action whose `run` has started. */
  hasStartedAction(index: number): boolean {
    return this.#startedActions.has(index)
  }

  async #runItem(item: BatchItem, index: number, signal: AbortSignal | undefined): Promise<ItemResponse> {
    const dependencies = await Promise.all(
      item.dependencyIndexes.map(dependencyIndex => this.#responses[dependencyIndex]),
    )
    if (dependencies.some(hasFailed)) return undefined
    await this.#prepareReferences(item, index)
    if (Date.now() >= this.#batch.deadline) return undefined
    const response = await this.#respond(item, index, signal)
    if (item.hasDependents && item.name !== undefined)
      this.#referenceResolver.addResponseBody(item.name, response.body)
    // An item that was interrupted by the deadline gets no response, so that the client repeats it.
    const isInterrupted = response.status === SERVICE_UNAVAILABLE_STATUS && Date.now() >= this.#batch.deadline
    return isInterrupted && !this.hasStartedAction(index) ? undefined : response
  }

  /**
   * Parses the responses that an item refers to. Each item begins in a separate turn of the event loop,
   * because all items together would block it.
   */
  async #prepareReferences({ relativeUrl, body }: BatchItem, index: number): Promise<void> {
    const { turnQueue } = this.#parsed.context.engine
    const texts = [relativeUrl, ...(body === undefined ? [] : [body])].filter(
      ({ references }) => references.length > 0,
    )
    for (const text of texts) await this.#referenceResolver.parseResponses(text, turnQueue)
    if (index > 0 || texts.length > 0) await turnQueue.waitForTurn()
  }

  #respond(item: BatchItem, index: number, signal: AbortSignal | undefined): Awaitable<WireResponse> {
    let request: WireRequest
    try {
      request = this.#createRequest(item, signal)
    } catch (error) {
      this.#parsed.charges.chargeRejectedItem()
      return this.#responder.respondWithItemError(toGraphError(error))
    }
    const batch = mayWrite(item)
      ? { ...this.#batch, onRun: () => this.#startedActions.add(index) }
      : this.#batch
    return this.#responder.respondToItem(request, batch)
  }

  /**
   * Creates the request of an item and resolves its references.
   *
   * @throws GraphError `query_too_expensive`, `request_too_large`, `timeout`.
   */
  #createRequest(item: BatchItem, signal: AbortSignal | undefined): WireRequest {
    const { method, relativeUrl, body } = item
    const { limits } = this.#parsed.context.settings
    return {
      method,
      url: `/${this.#referenceResolver.resolve(relativeUrl, 'URL', limits.url)}`,
      headers: createItemHeaders(item, this.#parsed),
      body: body && this.#referenceResolver.resolve(body, 'body', limits.body),
      signal,
    }
  }
}

const formatItem = ({ status, headers, body = '' }: WireResponse, withHeaders: boolean): object => ({
  code: status,
  ...(withHeaders && { headers: Object.entries(headers).map(([name, value]) => ({ name, value })) }),
  body,
})

/**
 * Authenticates the token of the batch itself, if there is one. An invalid proof is an error only for items
 * that use this token.
 */
const authenticate = async ({ readApi, token, proof, request }: ParsedRequest): Promise<void> => {
  if (token === undefined) return
  try {
    await readApi.getSession(token, { proof, signal: request.signal })
  } catch (error) {
    if (!isGraphError(error) || error.reason !== 'proof_invalid') throw error
  }
}

/** Rejects the key of a batch, because a batch is not written as a whole. */
const assertNoKey = ({ request }: ParsedRequest): void => {
  if (headerOf(request, KEY_HEADER_NAME) !== undefined)
    throw invalidBatchError('A batch has no Idempotency-Key: add this header to the headers of its requests')
}

/**
 * Responds to a batch. The requests run concurrently, except that each request runs after the requests that
 * it depends on. If one of them may write, they run one after another. All requests share one deadline, one
 * cost budget and one limit of the response size.
 *
 * @throws GraphError `invalid_batch`, `batch_too_large`, `invalid_parameter`, `request_too_large`, or an
 * error about the token of the batch.
 */
export const respondToBatch = async (parsed: ParsedRequest, responder: ItemResponder): Promise<string> => {
  const { query, parameters, context, baseUrl, token, proof, version, charges, batch: outerBatch } = parsed
  if (outerBatch !== undefined) throw invalidBatchError('A batch cannot be part of a batch')
  const { engine, settings } = context
  const deadline = Date.now() + engine.limits.timeoutMs
  await authenticate(parsed)
  if (engine.actions !== undefined) assertNoKey(parsed)
  const items = parseBatch(parameters.getText('batch') ?? '', settings.limits.batch, parsed.valueBudget)
  const withHeaders = parameters.getFlag('include_headers') ?? true
  if (items.length > 0) charges.delegateToItems()
  const batch: BatchContext = {
    baseUrl,
    version,
    token,
    proof,
    query,
    budget: new BatchBudget(BATCH_COST_FACTOR * engine.limits.cost),
    responseLimit: new ResponseSizeLimit(settings.limits.response),
    valueBudget: parsed.valueBudget,
    deadline,
    charges,
  }
  const signals = createLinkedSignals(parsed.request.signal, items.length)
  const runner = new ItemRunner(parsed, batch, responder)
  const responses = await runner.run(items, signals).finally(signals.release)
  const formattedItems = items.map(({ hasDependents, isOmittedOnSuccess = hasDependents }, index) => {
    const response = responses[index]
    // The response to an action is never omitted, so that null always means that nothing was written.
    const isOmitted = isOmittedOnSuccess && !hasFailed(response) && !runner.hasStartedAction(index)
    return response === undefined || isOmitted ? null : formatItem(response, withHeaders)
  })
  return JSON.stringify(formattedItems)
}
