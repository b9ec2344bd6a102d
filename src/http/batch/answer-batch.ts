import type { Awaitable } from '../../base/awaitable.ts'
import { AnswerRoom } from '../answer-room.ts'
import type { Enclosing, Exchange } from '../exchange.ts'
import { Budget } from '../spending.ts'
import { LINKS_HEADER, type WireRequest, type WireResponse } from '../wire.ts'
import { type BatchItem, badBatch, readBatch } from './batch-item.ts'
import { type Branches, branchesOf } from './branches.ts'
import { resolveReferences } from './reference.ts'

/** Together the requests of a batch may cost so many times what one call may. */
const BUDGET = 10
const FAILED = 400
const UNAVAILABLE = 503

/** Answers one request of a batch. */
export type AnswerItem = (request: WireRequest, enclosing: Enclosing) => Awaitable<WireResponse>

/** The responses so far, by place: undefined for those that did not come in time, or wait for one that failed. */
type Outcome = WireResponse | undefined

const hasFailed = (outcome: Outcome): boolean => outcome === undefined || outcome.status >= FAILED

const headersOf = ({ headers, isUsed }: BatchItem, { request }: Exchange): WireRequest['headers'] => ({
  [LINKS_HEADER]: request.headers[LINKS_HEADER],
  ...headers,
  // Of an answer that is not modified, whoever uses it would find nothing.
  ...(isUsed && { 'if-none-match': undefined }),
})

const requestOf = (
  item: BatchItem,
  exchange: Exchange,
  answerOf: (name: string) => unknown,
  signal: AbortSignal | undefined,
): WireRequest => {
  const { method, relativeUrl, body } = item
  const { limits } = exchange.service.settings
  return {
    method,
    url: `/${resolveReferences(relativeUrl, answerOf, limits.url)}`,
    headers: headersOf(item, exchange),
    body: body && resolveReferences(body, answerOf, limits.body),
    signal,
  }
}

/** What an answer says; nothing of one without a body, such as where a picture is. */
const saidBy = (outcome: Outcome): unknown => JSON.parse(outcome?.body ?? 'null')

const run = (
  exchange: Exchange,
  items: readonly BatchItem[],
  enclosing: Enclosing,
  answerItem: AnswerItem,
  branches: Branches,
): Promise<Outcome>[] => {
  const outcomes: Promise<Outcome>[] = []
  const places = new Map(items.map(({ name }, index) => [name, index]))
  const values = new Map<string, unknown>()
  for (const [place, item] of items.entries()) outcomes.push(runItem(item, branches.at(place)))
  return outcomes

  async function runItem(item: BatchItem, signal: AbortSignal | undefined): Promise<Outcome> {
    const before = await Promise.all(item.waitsFor.map(place => outcomes[place]))
    if (before.some(hasFailed)) return undefined
    const answerOf = (name: string): unknown => {
      // Read once, however many ask.
      if (!values.has(name)) values.set(name, saidBy(before[item.waitsFor.indexOf(places.get(name) ?? -1)]))
      return values.get(name)
    }
    const response = await answerItem(requestOf(item, exchange, answerOf, signal), enclosing)
    // What the end of the batch's time cut off is to be asked again, and says nothing else.
    return response.status === UNAVAILABLE && Date.now() >= enclosing.deadline ? undefined : response
  }
}

const printed = ({ status, headers, body = '' }: WireResponse, withHeaders: boolean): object => ({
  code: status,
  ...(withHeaders && { headers: Object.entries(headers).map(([name, value]) => ({ name, value })) }),
  body,
})

/**
 * Answers a batch: its requests side by side, those that depend on others after them. One deadline, one budget and one
 * room are for all of them.
 *
 * @throws GraphError `bad_batch`, `too_many_batch_items`, `bad_parameter`.
 */
export const answerBatch = async (exchange: Exchange, answerItem: AnswerItem): Promise<string> => {
  const { query, parameters, service, base, token, proof, version, spending, enclosing: outer } = exchange
  if (outer !== undefined) throw badBatch('A batch cannot be part of a batch')
  const { engine, settings } = service
  const items = readBatch(parameters.text('batch') ?? '', settings.limits.batch)
  const withHeaders = parameters.flag('include_headers') ?? true
  const enclosing: Enclosing = {
    base,
    version,
    token,
    proof,
    query,
    budget: new Budget(BUDGET * engine.limits.cost),
    room: new AnswerRoom(settings.limits.answer),
    deadline: Date.now() + engine.limits.deadline,
    spending,
  }
  const branches = branchesOf(exchange.request.signal, items.length)
  const outcomes = await Promise.all(run(exchange, items, enclosing, answerItem, branches)).finally(
    branches.release,
  )
  const answers = items.map(({ isUsed, isOmitted }, index) => {
    const outcome = outcomes[index]
    const isLeftOut = isUsed && isOmitted && !hasFailed(outcome)
    return outcome === undefined || isLeftOut ? null : printed(outcome, withHeaders)
  })
  return JSON.stringify(answers)
}
