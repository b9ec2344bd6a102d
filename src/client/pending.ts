import { type Abortable, SharedSignal } from '../base/shared-signals.ts'
import { abortedFault } from './arrival.ts'
import { failed, type Outcome } from './outcome.ts'
import type { RemoteRequest } from './remote-request.ts'

/** Who is told what became of a call. */
type Waiter = {
  readonly resolve: (answer: unknown) => void
  readonly reject: (fault: unknown) => void
}

/** A call that waits for its outcome, unless its own signal ends the waiting before. */
export class Pending {
  readonly request: RemoteRequest
  readonly #signal: Abortable | undefined
  readonly #waiter: Waiter
  readonly #ended = new AbortController()
  readonly #abort = (): void => this.settle(failed(abortedFault(this.#signal?.reason)))

  constructor(request: RemoteRequest, signal: Abortable | undefined, waiter: Waiter) {
    this.request = request
    this.#signal = signal
    this.#waiter = waiter
    signal?.addEventListener('abort', this.#abort)
    if (signal?.aborted) this.#abort()
  }

  /** Aborted once nobody waits for this call any more. */
  get ended(): AbortSignal {
    return this.#ended.signal
  }

  /** The first outcome counts. */
  settle(outcome: Outcome): void {
    if (this.ended.aborted) return
    this.#signal?.removeEventListener('abort', this.#abort)
    if ('answer' in outcome) this.#waiter.resolve(outcome.answer)
    else this.#waiter.reject(outcome.fault)
    this.#ended.abort()
  }
}

/** Aborted once nobody waits for any of them. */
export const allEnded = (pendings: readonly Pending[]): Abortable => {
  const controller = new AbortController()
  const look = (): void => {
    if (pendings.every(({ ended }) => ended.aborted)) controller.abort()
  }
  for (const { ended } of pendings) ended.addEventListener('abort', look)
  look()
  // Up to fifty requests wait for it, where those of a batch are asked alone.
  return new SharedSignal(controller.signal)
}
