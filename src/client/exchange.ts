import { GraphError, isGraphError } from '../base/faults.ts'
import { isJsonObject, type JsonValue } from '../base/json.ts'
import type { Abortable } from '../base/shared-signals.ts'
import { arrivalOf } from './arrival.ts'
import type { ClientSettings } from './client-options.ts'
import { failed, foreignAnswer, type Outcome, outcomeOf } from './outcome.ts'
import { batchRequestOf, httpRequestOf, type RemoteRequest } from './remote-request.ts'

const send = async (
  settings: ClientSettings,
  request: readonly [url: string, init: RequestInit],
  signal: Abortable,
): Promise<Outcome> => {
  try {
    return outcomeOf(await arrivalOf(settings, request, signal))
  } catch (error) {
    if (isGraphError(error)) return failed(error)
    throw error
  }
}

/** What is said of a request that the batch had no time for. */
const unfinished = (): GraphError =>
  new GraphError('deadline', '(#2) The server had no time for this request of a batch')

const itemOutcome = (item: JsonValue | undefined): Outcome => {
  if (item === null || item === undefined) return failed(unfinished())
  if (!isJsonObject(item) || typeof item.code !== 'number' || typeof item.body !== 'string')
    return failed(foreignAnswer({ status: 200, contentType: 'part of a batch' }))
  return outcomeOf({ status: item.code, contentType: null, retryAfter: null, text: item.body })
}

/**
 * Whether a request may have failed only because of the others in its batch: all of them share one budget and the room for
 * their responses. A call that exceeds its scan limit has no `cost` in its error: it is not repeated.
 */
const isCrowdedOut = (outcome: Outcome): boolean => {
  if (!('fault' in outcome)) return false
  const { reason, cost } = outcome.fault.data
  return reason === 'answer_too_large' || (reason === 'too_costly' && cost !== undefined)
}

/**
 * Sends requests, several as one batch, and answers what became of each, in their order. A batch that the server refuses
 * as a whole (it takes fewer, or smaller ones, or one of the requests spoils it) is sent in halves: no call fails because
 * of the company that it was in.
 */
export const exchange = async (
  settings: ClientSettings,
  requests: readonly RemoteRequest[],
  signal: Abortable,
): Promise<Outcome[]> => {
  const [first, second] = requests
  if (first === undefined) return []
  if (second === undefined) return [await send(settings, httpRequestOf(settings, first), signal)]
  const outcome = await send(settings, batchRequestOf(settings, requests), signal)
  if ('answer' in outcome) {
    const { answer } = outcome
    return Promise.all(
      requests.map(async (request, index) => {
        const one = itemOutcome(Array.isArray(answer) ? answer[index] : answer)
        return isCrowdedOut(one) ? send(settings, httpRequestOf(settings, request), signal) : one
      }),
    )
  }
  if (!outcome.isRefusal) return requests.map(() => outcome)
  const half = Math.ceil(requests.length / 2)
  const parts = [requests.slice(0, half), requests.slice(half)]
  return (await Promise.all(parts.map(part => exchange(settings, part, signal)))).flat()
}
