import { SharedSignals } from '../base/shared-signals.ts'
import type { ClientSettings } from './client-options.ts'
import { exchange } from './exchange.ts'
import { failed, foreignAnswer } from './outcome.ts'
import { allEnded, Pending } from './pending.ts'
import type { RemoteRequest } from './remote-request.ts'
import { sleep, waitAfter } from './retry.ts'

/** How many requests one batch may have. */
const MOST = 50

/** Sends requests until each has an outcome that stands. */
export class Sender {
  readonly #settings: ClientSettings
  readonly #signals = new SharedSignals()
  #queue: Pending[] = []

  constructor(settings: ClientSettings) {
    this.#settings = settings
  }

  /** What the server answers. @throws GraphError */
  send(request: RemoteRequest, signal: AbortSignal | undefined): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const shared = signal && this.#signals.of(signal)
      const pending = new Pending(request, shared, { resolve, reject })
      if (this.#settings.batch) this.#enqueue(pending)
      else this.#run([pending])
    })
  }

  #enqueue(pending: Pending): void {
    this.#queue.push(pending)
    // A timer, so that the calls which answered promises lead to in the same tick still come in time.
    if (this.#queue.length === 1) setTimeout(() => this.#flush())
  }

  #flush(): void {
    const queue = this.#queue
    this.#queue = []
    for (let start = 0; start < queue.length; start += MOST) this.#run(queue.slice(start, start + MOST))
  }

  /** Never rejects: whatever goes wrong goes to those who wait. */
  #run(pendings: readonly Pending[]): void {
    this.#attempt(pendings).catch((error: unknown) => {
      for (const pending of pendings) pending.settle(failed(foreignAnswer({ error })))
    })
  }

  /** Those that failed for the moment are sent together again, after one wait for all. */
  async #attempt(pendings: readonly Pending[]): Promise<void> {
    const { retry } = this.#settings
    const everyone = allEnded(pendings)
    const stillWaiting = (some: readonly Pending[]) => some.filter(({ ended }) => !ended.aborted)
    let waiting = stillWaiting(pendings)
    for (let attempt = 1; waiting.length > 0; attempt++) {
      const requests = waiting.map(({ request }) => request)
      const outcomes = await exchange(this.#settings, requests, everyone)
      const share = Math.random()
      let longest = 0
      waiting.forEach((pending, index) => {
        const outcome = outcomes[index] ?? failed(foreignAnswer({ missing: index }))
        const wait = waitAfter(retry, outcome, attempt, share)
        if (wait === undefined) pending.settle(outcome)
        else longest = Math.max(longest, wait)
      })
      waiting = stillWaiting(waiting)
      if (waiting.length > 0) await sleep(longest, everyone)
      waiting = stillWaiting(waiting)
    }
  }
}
