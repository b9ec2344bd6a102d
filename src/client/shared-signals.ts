/** The members of an `AbortSignal` that the client uses. */
export interface AbortSignalLike {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/**
 * A signal with any number of listeners. It adds at most one listener to the original signal, and none if it
 * has no listeners. Node warns about a possible leak if a signal has more than ten listeners.
 */
export class SharedSignal implements AbortSignalLike {
  readonly #signal: AbortSignal
  readonly #listeners = new Set<() => void>()
  readonly #notifyListeners = (): void => {
    for (const listener of this.#listeners) listener()
  }

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  get aborted(): boolean {
    return this.#signal.aborted
  }

  get reason(): unknown {
    return this.#signal.reason
  }

  addEventListener(type: 'abort', listener: () => void): void {
    if (this.#listeners.size === 0) this.#signal.addEventListener(type, this.#notifyListeners)
    this.#listeners.add(listener)
  }

  removeEventListener(type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener)
    if (this.#listeners.size === 0) this.#signal.removeEventListener(type, this.#notifyListeners)
  }
}

/** The signals of callers. All calls with the same signal share one {@link SharedSignal}. */
export class SharedSignals {
  readonly #shared = new WeakMap<AbortSignal, SharedSignal>()

  getShared(signal: AbortSignal): SharedSignal {
    const existing = this.#shared.get(signal)
    if (existing !== undefined) return existing
    const shared = new SharedSignal(signal)
    this.#shared.set(signal, shared)
    return shared
  }
}
