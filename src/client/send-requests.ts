import { GraphError, isGraphError } from '../base/errors.ts'
import { isNonArrayObject, type JsonValue } from '../base/json.ts'
import type { ClientSettings } from './client-options.ts'
import { createFailure, type HttpResult, toHttpResult, unexpectedResponseError } from './http-result.ts'
import { fetchRawResponse } from './raw-response.ts'
import {
  type FetchArguments,
  type RemoteRequest,
  toBatchFetchArguments,
  toFetchArguments,
} from './remote-request.ts'
import type { AbortSignalLike } from './shared-signals.ts'

const sendOne = async (
  settings: ClientSettings,
  fetchArguments: FetchArguments,
  signal: AbortSignalLike,
): Promise<HttpResult> => {
  try {
    return toHttpResult(await fetchRawResponse(settings, fetchArguments, signal))
  } catch (error) {
    if (isGraphError(error)) return createFailure(error)
    throw error
  }
}

/** Creates the error for a request that the server did not run before the batch timed out. */
const batchItemTimeoutError = (): GraphError =>
  new GraphError('timeout', '(#2) The server ran out of time before this request of the batch')

const parseBatchItem = (item: JsonValue | undefined): HttpResult => {
  if (item === null || item === undefined) return createFailure(batchItemTimeoutError())
  if (!isNonArrayObject(item) || typeof item.code !== 'number' || typeof item.body !== 'string')
    return createFailure(unexpectedResponseError({ status: 200, contentType: 'part of a batch' }))
  return toHttpResult({ status: item.code, contentType: null, retryAfter: null, text: item.body })
}

/**
 * Whether a request may have failed only because of other requests in its batch. The requests share one cost
 * budget and one limit of the response size. The error of a call that exceeds its scan limit has no `cost`,
 * so this call is not repeated.
 */
const exceedsSharedLimit = (result: HttpResult): boolean => {
  if (!('error' in result)) return false
  const { reason, data } = result.error
  return reason === 'response_too_large' || (reason === 'query_too_expensive' && data.cost !== undefined)
}

/**
 * Sends requests, several as one batch, and returns the result of each, in order. If the server rejects a
 * whole batch, because the server has lower limits or one request is invalid, sends the batch again in
 * halves, so that no call fails because of other requests in its batch.
 */
export const sendRequests = async (
  settings: ClientSettings,
  requests: readonly RemoteRequest[],
  signal: AbortSignalLike,
): Promise<HttpResult[]> => {
  const [first, second] = requests
  if (first === undefined) return []
  if (second === undefined) return [await sendOne(settings, toFetchArguments(settings, first), signal)]
  const result = await sendOne(settings, toBatchFetchArguments(settings, requests), signal)
  if ('body' in result) {
    const { body } = result
    return Promise.all(
      requests.map(async (request, index) => {
        const itemResult = parseBatchItem(Array.isArray(body) ? body[index] : body)
        return exceedsSharedLimit(itemResult)
          ? sendOne(settings, toFetchArguments(settings, request), signal)
          : itemResult
      }),
    )
  }
  if (!result.isClientError) return requests.map(() => result)
  const half = Math.ceil(requests.length / 2)
  const parts = [requests.slice(0, half), requests.slice(half)]
  return (await Promise.all(parts.map(part => sendRequests(settings, part, signal)))).flat()
}
