import { GraphError, isGraphError } from '../base/errors.ts'
import type { AbortSignalLike } from '../base/shared-signals.ts'
import type { ClientSettings } from './client-options.ts'
import { readText } from './response-text.ts'

/** A response of the server, before it is interpreted. */
export type RawResponse = {
  readonly status: number
  readonly contentType: string | null
  readonly retryAfter: string | null
  readonly text: string
}

/** Creates the error for callers whose signal has aborted. */
export const abortedError = (reason: unknown): GraphError =>
  new GraphError('aborted', '(#2) The request was aborted', {}, { cause: reason })

const timeoutError = (timeoutMs: number): GraphError =>
  new GraphError(
    'timeout',
    '(#2) The deadline of the request has passed',
    {},
    { cause: { timeout: timeoutMs } },
  )

/**
 * Creates the error for a missing response. The message does not contain the text of its cause, which comes
 * from the runtime or the network.
 */
const serverUnreachableError = (cause: unknown): GraphError =>
  new GraphError('store_error', '(#2) The server cannot be reached', {}, { cause })

/**
 * Sends a request and reads the whole response.
 *
 * @throws GraphError `timeout` if it takes longer than an attempt may, `aborted` if the signal aborts,
 * `store_error` if the server cannot be reached, `internal_error` for a body that is too large.
 */
export const fetchRawResponse = async (
  { fetch, timeoutMs, maxResponseBytes }: Pick<ClientSettings, 'fetch' | 'timeoutMs' | 'maxResponseBytes'>,
  [url, init]: readonly [url: string, init: RequestInit],
  signal: AbortSignalLike,
): Promise<RawResponse> => {
  const controller = new AbortController()
  const fetchAndRead = async (): Promise<RawResponse> => {
    try {
      const response = await fetch(url, { ...init, signal: controller.signal })
      const { status, headers } = response
      const text = await readText(response, maxResponseBytes)
      return {
        status,
        contentType: headers.get('content-type'),
        retryAfter: headers.get('retry-after'),
        text,
      }
    } catch (cause) {
      throw isGraphError(cause) ? cause : serverUnreachableError(cause)
    }
  }
  // Rejects on abort here too, since not every replacement of `fetch` observes its signal.
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      settle()
      controller.abort()
    }
    const abort = (): void => finish(() => reject(abortedError(signal.reason)))
    const timer = setTimeout(() => finish(() => reject(timeoutError(timeoutMs))), timeoutMs)
    signal.addEventListener('abort', abort)
    fetchAndRead().then(
      response => finish(() => resolve(response)),
      error => finish(() => reject(error)),
    )
    if (signal.aborted) abort()
  })
}
