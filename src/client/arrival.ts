import { GraphError, isGraphError } from '../base/faults.ts'
import type { Abortable } from '../base/shared-signals.ts'
import type { ClientSettings } from './client-options.ts'
import { readText } from './response-text.ts'

/** What a server answered, before anything is made of it. */
export type Arrival = {
  readonly status: number
  readonly contentType: string | null
  readonly retryAfter: string | null
  readonly text: string
}

/** What is thrown to those who no longer wait. */
export const abortedFault = (reason: unknown): GraphError =>
  new GraphError('aborted', '(#2) The request was aborted', {}, { cause: reason })

const lateFault = (timeout: number): GraphError =>
  new GraphError('deadline', '(#2) The deadline of the request has passed', {}, { cause: { timeout } })

/** Stands for whatever keeps an answer from arriving; its cause was written by others, and stays apart from its text. */
const unreachable = (cause: unknown): GraphError =>
  new GraphError('store_fault', '(#2) The server cannot be reached', {}, { cause })

/**
 * Sends a request and reads the answer to its end.
 *
 * @throws GraphError `deadline` where it takes longer than an attempt may, `aborted` where the signal ends it,
 * `store_fault` where the server cannot be reached, `internal` for a body that is too large.
 */
export const arrivalOf = async (
  { fetch, timeout, maxResponseBytes }: Pick<ClientSettings, 'fetch' | 'timeout' | 'maxResponseBytes'>,
  [url, init]: readonly [url: string, init: RequestInit],
  signal: Abortable,
): Promise<Arrival> => {
  const controller = new AbortController()
  const arrive = async (): Promise<Arrival> => {
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
      throw isGraphError(cause) ? cause : unreachable(cause)
    }
  }
  // Told of the end beside the request, since not everything that stands for `fetch` heeds its signal.
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      settle()
      controller.abort()
    }
    const abort = (): void => end(() => reject(abortedFault(signal.reason)))
    const timer = setTimeout(() => end(() => reject(lateFault(timeout))), timeout)
    signal.addEventListener('abort', abort)
    arrive().then(
      arrival => end(() => resolve(arrival)),
      fault => end(() => reject(fault)),
    )
    if (signal.aborted) abort()
  })
}
