/** As much of a signal as it takes to wait for its end. */
export interface Abortable {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/**
 * A signal that is listened to once, however many wait for its end, and not at all while nobody does. Of more than ten
 * listeners to a signal Node warns, as of some that nobody takes off again.
 */
export class SharedSignal implements Abortable {
  readonly #signal: AbortSignal
  readonly #listeners = new Set<() => void>()
  readonly #tell = (): void => {
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
    if (this.#listeners.size === 0) this.#signal.addEventListener(type, this.#tell)
    this.#listeners.add(listener)
  }

  removeEventListener(type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener)
    if (this.#listeners.size === 0) this.#signal.removeEventListener(type, this.#tell)
  }
}

/** The signals of callers, each shared by all the calls that it is given to. */
export class SharedSignals {
  readonly #shared = new WeakMap<AbortSignal, SharedSignal>()

  of(signal: AbortSignal): SharedSignal {
    const known = this.#shared.get(signal)
    if (known !== undefined) return known
    const shared = new SharedSignal(signal)
    this.#shared.set(signal, shared)
    return shared
  }
}
