import type { Awaitable } from '../../base/awaitable.ts'
import { type GraphError, isGraphError } from '../../base/faults.ts'
import { AnswerRoom } from '../answer-room.ts'
import type { Enclosing, Exchange } from '../exchange.ts'
import { faultOf } from '../reply.ts'
import { Budget } from '../spending.ts'
import { LINKS_HEADER, type WireRequest, type WireResponse } from '../wire.ts'
import { badBatch } from './bad-batch.ts'
import { type BatchItem, readBatch } from './batch-item.ts'
import { type Branches, branchesOf } from './branches.ts'
import { ReferenceValues } from './reference-values.ts'
import type { ReferringText } from './references.ts'
import { StepBudget } from './step-budget.ts'

/** Together the requests of a batch may cost so many times what one call may. */
const BUDGET = 10
const FAILED = 400
const UNAVAILABLE = 503

/** Responds to the items of a batch. */
export interface ItemResponder {
  answerItem(request: WireRequest, enclosing: Enclosing): Awaitable<WireResponse>
  /** The response to an item that cannot be run. */
  refuseItem(fault: GraphError): WireResponse
}

/** The responses so far, by place: undefined for those that did not come in time, or wait for one that failed. */
type Outcome = WireResponse | undefined

const hasFailed = (outcome: Outcome): boolean => outcome === undefined || outcome.status >= FAILED

const headersOf = ({ headers, isUsed }: BatchItem, { request }: Exchange): WireRequest['headers'] => ({
  [LINKS_HEADER]: request.headers[LINKS_HEADER],
  ...headers,
  // Of an answer that is not modified, whoever uses it would find nothing.
  ...(isUsed && { 'if-none-match': undefined }),
})

/** @throws GraphError `too_costly`, `request_too_large`, `deadline`: what its references come to. */
const requestOf = (
  item: BatchItem,
  exchange: Exchange,
  values: ReferenceValues,
  signal: AbortSignal | undefined,
): WireRequest => {
  const { method, relativeUrl, body } = item
  const { limits } = exchange.service.settings
  return {
    method,
    url: `/${values.resolve(relativeUrl, 'URL', limits.url)}`,
    headers: headersOf(item, exchange),
    body: body && values.resolve(body, 'body', limits.body),
    signal,
  }
}

const referringTextsOf = ({ relativeUrl, body }: BatchItem): readonly ReferringText[] =>
  [relativeUrl, ...(body === undefined ? [] : [body])].filter(({ references }) => references.length > 0)

const run = (
  exchange: Exchange,
  items: readonly BatchItem[],
  enclosing: Enclosing,
  responder: ItemResponder,
  branches: Branches,
): Promise<Outcome>[] => {
  const { engine, settings } = exchange.service
  const outcomes: Promise<Outcome>[] = []
  const values = new ReferenceValues(new StepBudget(enclosing.deadline), settings.limits.body)
  for (const [place, item] of items.entries()) outcomes.push(runItem(item, place, branches.at(place)))
  return outcomes

  async function runItem(item: BatchItem, place: number, signal: AbortSignal | undefined): Promise<Outcome> {
    const before = await Promise.all(item.waitsFor.map(place => outcomes[place]))
    if (before.some(hasFailed)) return undefined
    await prepare(item, place)
    const response = await respond(item, signal)
    if (item.isUsed && item.name !== undefined) values.keep(item.name, response.body)
    // What the end of the batch's time cut off is to be asked again, and says nothing else.
    return response.status === UNAVAILABLE && Date.now() >= enclosing.deadline ? undefined : response
  }

  /** Each item begins in a turn of its own: all of them would hold the event loop together. */
  async function prepare(item: BatchItem, place: number): Promise<void> {
    const texts = referringTextsOf(item)
    for (const text of texts) await values.parse(text, engine.turns)
    if (place > 0 || texts.length > 0) await engine.turns.next()
  }

  function respond(item: BatchItem, signal: AbortSignal | undefined): Awaitable<WireResponse> {
    let request: WireRequest
    try {
      request = requestOf(item, exchange, values, signal)
    } catch (error) {
      exchange.spending.chargeRejectedItem()
      return responder.refuseItem(faultOf(error))
    }
    return responder.answerItem(request, enclosing)
  }
}

const printed = ({ status, headers, body = '' }: WireResponse, withHeaders: boolean): object => ({
  code: status,
  ...(withHeaders && { headers: Object.entries(headers).map(([name, value]) => ({ name, value })) }),
  body,
})

/**
 * Authenticates the token of the batch itself, if it has one. A wrong proof is an error of each item that uses this token: the
 * others have tokens of their own.
 */
const authenticate = async ({ reads, token, proof, request }: Exchange): Promise<void> => {
  if (token === undefined) return
  try {
    await reads.session(token, { proof, signal: request.signal })
  } catch (error) {
    if (!isGraphError(error) || error.data.reason !== 'proof_invalid') throw error
  }
}

/**
 * Answers a batch: its requests side by side, those that depend on others after them. One deadline, one budget and one
 * room are for all of them.
 *
 * @throws GraphError `bad_batch`, `too_many_batch_items`, `bad_parameter`, `request_too_large`, and what is wrong with the
 * token of the batch.
 */
export const answerBatch = async (exchange: Exchange, responder: ItemResponder): Promise<string> => {
  const { query, parameters, service, base, token, proof, version, spending, enclosing: outer } = exchange
  if (outer !== undefined) throw badBatch('A batch cannot be part of a batch')
  const { engine, settings } = service
  const deadline = Date.now() + engine.limits.deadline
  await authenticate(exchange)
  const items = readBatch(parameters.text('batch') ?? '', settings.limits.batch, exchange.values)
  const withHeaders = parameters.flag('include_headers') ?? true
  if (items.length > 0) spending.leaveToItems()
  const enclosing: Enclosing = {
    base,
    version,
    token,
    proof,
    query,
    budget: new Budget(BUDGET * engine.limits.cost),
    room: new AnswerRoom(settings.limits.answer),
    values: exchange.values,
    deadline,
    spending,
  }
  const branches = branchesOf(exchange.request.signal, items.length)
  const outcomes = await Promise.all(run(exchange, items, enclosing, responder, branches)).finally(
    branches.release,
  )
  const answers = items.map(({ isUsed, isOmitted = isUsed }, index) => {
    const outcome = outcomes[index]
    return outcome === undefined || (isOmitted && !hasFailed(outcome)) ? null : printed(outcome, withHeaders)
  })
  return JSON.stringify(answers)
}
