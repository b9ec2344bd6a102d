import type { ClientSettings } from './client-options.ts'
import { createFailure, type HttpResult, unexpectedResponseError } from './http-result.ts'
import { createAllEndedSignal, PendingCall } from './pending-call.ts'
import type { RemoteRequest } from './remote-request.ts'
import { mayRepeat } from './repeated-actions.ts'
import { sendRequests } from './send-requests.ts'
import { type AbortSignalLike, SharedSignals } from './shared-signals.ts'

/**
 * Returns the milliseconds until the next attempt, or undefined if there is no next attempt. `attempt` is the
 * number of the attempt that failed. `jitter`, a random number from 0 to 1, is the fraction of the longest
 * wait that is added to the delay requested by the server. It prevents clients that failed together from
 * retrying together.
 */
export const computeRetryDelay = (
  { attempts, baseDelayMs, maxDelayMs }: ClientSettings['retry'],
  result: HttpResult,
  attempt: number,
  jitter: number,
): number | undefined => {
  if ('body' in result || !result.retryable || attempt >= attempts) return undefined
  const { retryAfterMs = 0 } = result
  if (retryAfterMs > maxDelayMs) return undefined
  return Math.min(maxDelayMs, retryAfterMs + jitter * Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1)))
}

/** Resolves after this many milliseconds, or as soon as the signal aborts. */
const sleep = (durationMs: number, signal: AbortSignalLike): Promise<void> =>
  new Promise(resolve => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, durationMs)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })

/** The maximum number of requests in a batch. */
const MAX_BATCH_SIZE = 50

/** Sends requests and retries them until each has a final result. */
export class RequestSender {
  readonly #settings: ClientSettings
  readonly #signals = new SharedSignals()
  #queue: PendingCall[] = []

  constructor(settings: ClientSettings) {
    this.#settings = settings
  }

  /**
   * Sends a request and returns the response of the server.
   *
   * @throws GraphError
   */
  send(request: RemoteRequest, signal: AbortSignal | undefined): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const sharedSignal = signal && this.#signals.getShared(signal)
      const call = new PendingCall(request, sharedSignal, { resolve, reject })
      if (this.#settings.batch && request.action === undefined) this.#enqueue(call)
      else this.#run([call])
    })
  }

  #enqueue(call: PendingCall): void {
    this.#queue.push(call)
    // Uses a timer, so that the batch includes calls that follow from resolved promises in the same tick.
    if (this.#queue.length === 1) setTimeout(() => this.#flush())
  }

  #flush(): void {
    const queue = this.#queue
    this.#queue = []
    for (let start = 0; start < queue.length; start += MAX_BATCH_SIZE)
      this.#run(queue.slice(start, start + MAX_BATCH_SIZE))
  }

  /** Runs calls. Never rejects: errors go to the waiting callers. */
  #run(calls: readonly PendingCall[]): void {
    this.#attempt(calls).catch((error: unknown) => {
      for (const call of calls) call.settle(createFailure(unexpectedResponseError({ error })))
    })
  }

  /** Sends calls together. After a wait, sends the calls that failed with a transient error again. */
  async #attempt(calls: readonly PendingCall[]): Promise<void> {
    const { retry } = this.#settings
    const allEndedSignal = createAllEndedSignal(calls)
    const removeEndedCalls = (pendingCalls: readonly PendingCall[]) =>
      pendingCalls.filter(({ endSignal }) => !endSignal.aborted)
    let waitingCalls = removeEndedCalls(calls)
    for (let attempt = 1; waitingCalls.length > 0; attempt++) {
      const requests = waitingCalls.map(({ request }) => request)
      const results = await sendRequests(this.#settings, requests, allEndedSignal)
      const jitter = Math.random()
      let longestDelayMs = 0
      waitingCalls.forEach((call, index) => {
        const result = results[index] ?? createFailure(unexpectedResponseError({ missing: index }))
        const delayMs = mayRepeat(call.request, result)
          ? computeRetryDelay(retry, result, attempt, jitter)
          : undefined
        if (delayMs === undefined) call.settle(result)
        else longestDelayMs = Math.max(longestDelayMs, delayMs)
      })
      waitingCalls = removeEndedCalls(waitingCalls)
      if (waitingCalls.length > 0) await sleep(longestDelayMs, allEndedSignal)
      waitingCalls = removeEndedCalls(waitingCalls)
    }
  }
}
