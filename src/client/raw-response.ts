import { abortedError, GraphError, isGraphError, timeoutError } from '../base/errors.ts'
import type { ClientSettings } from './client-options.ts'
import type { AbortSignalLike } from './shared-signals.ts'

const responseTooLargeError = (limit: number): GraphError =>
  new GraphError(
    'internal_error',
    `(#1) The response of the server has more than ${limit} bytes`,
    {},
    { cause: { limit } },
  )

/**
 * Reads a whole body at once, for runtimes that do not stream bodies. Then checks the length in characters,
 * which is never larger than the size in bytes.
 */
const readWhole = async (response: Response, limit: number): Promise<string> => {
  const text = await response.text()
  if (text.length > limit) throw responseTooLargeError(limit)
  return text
}

const readChunks = async (body: ReadableStream<Uint8Array>, limit: number): Promise<string> => {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let receivedBytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    receivedBytes += value.byteLength
    if (receivedBytes > limit) {
      // The error is thrown whether or not the rest of the body can be cancelled.
      reader.cancel().catch(() => undefined)
      throw responseTooLargeError(limit)
    }
    text += decoder.decode(value, { stream: true })
  }
}

/**
 * Reads the body of a response as text, and stops if it is too large.
 *
 * @throws GraphError `internal_error` if the decoded body has more than `limit` bytes, or more than `limit`
 * characters if it is not a stream.
 */
const readText = (response: Response, limit: number): Promise<string> =>
  response.body ? readChunks(response.body, limit) : readWhole(response, limit)

/** A response of the server, before it is interpreted. */
export type RawResponse = {
  readonly status: number
  readonly contentType: string | null
  readonly retryAfter: string | null
  readonly text: string
}

/**
 * Creates the error for a missing response. The message does not contain the text of its cause, which comes
 * from the runtime or the network.
 */
const serverUnreachableError = (cause: unknown): GraphError =>
  new GraphError('store_error', '(#2) The server cannot be reached', {}, { cause })

/**
 * Sends a request and reads the whole response.
 *
 * @throws GraphError `timeout` if the attempt takes too long, `aborted` if the signal aborts, `store_error`
 * if the server cannot be reached, `internal_error` for a body that is too large.
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
      const [contentType, retryAfter] = [headers.get('content-type'), headers.get('retry-after')]
      return { status, contentType, retryAfter, text }
    } catch (cause) {
      throw isGraphError(cause) ? cause : serverUnreachableError(cause)
    }
  }
  // Rejects on abort here too, because not every replacement of `fetch` observes its signal.
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      settle()
      controller.abort()
    }
    const abort = (): void => finish(() => reject(abortedError(signal.reason)))
    const expire = (): void => finish(() => reject(timeoutError({ cause: { timeout: timeoutMs } })))
    const timer = setTimeout(expire, timeoutMs)
    signal.addEventListener('abort', abort)
    fetchAndRead().then(
      response => finish(() => resolve(response)),
      error => finish(() => reject(error)),
    )
    if (signal.aborted) abort()
  })
}
