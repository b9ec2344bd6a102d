import { abortedError } from '../base/errors.ts'
import { createFailure, type HttpResult } from './http-result.ts'
import type { RemoteRequest } from './remote-request.ts'
import { toCallError } from './repeated-actions.ts'
import { type AbortSignalLike, SharedSignal } from './shared-signals.ts'

/** The callbacks that settle the promise of a call. */
type PromiseCallbacks = {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** A call that waits for its result, or for its signal to abort. */
export class PendingCall {
  readonly request: RemoteRequest
  readonly #signal: AbortSignalLike | undefined
  readonly #callbacks: PromiseCallbacks
  readonly #endController = new AbortController()
  readonly #abort = (): void => this.settle(createFailure(abortedError(this.#signal?.reason)))

  constructor(request: RemoteRequest, signal: AbortSignalLike | undefined, callbacks: PromiseCallbacks) {
    this.request = request
    this.#signal = signal
    this.#callbacks = callbacks
    signal?.addEventListener('abort', this.#abort)
    if (signal?.aborted) this.#abort()
  }

  /** Aborts when nobody waits for this call any more. */
  get endSignal(): AbortSignal {
    return this.#endController.signal
  }

  /** Settles the call. Only the first result counts. */
  settle(result: HttpResult): void {
    if (this.endSignal.aborted) return
    this.#signal?.removeEventListener('abort', this.#abort)
    if ('body' in result) this.#callbacks.resolve(result.body)
    else this.#callbacks.reject(toCallError(this.request, result))
    this.#endController.abort()
  }
}

/** Returns a signal that aborts when nobody waits for any of the calls any more. */
export const createAllEndedSignal = (calls: readonly PendingCall[]): AbortSignalLike => {
  const controller = new AbortController()
  const abortIfAllEnded = (): void => {
    if (calls.every(({ endSignal }) => endSignal.aborted)) controller.abort()
  }
  for (const { endSignal } of calls) endSignal.addEventListener('abort', abortIfAllEnded)
  abortIfAllEnded()
  // Up to 50 requests listen to this signal if the requests of a batch are sent one by one.
  return new SharedSignal(controller.signal)
}
