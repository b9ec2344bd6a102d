/** A call that waits for a slot. The key is its viewer and app. */
type WaitingCall = { readonly key: string; readonly resume: () => void }

/** The permission to examine further edges. A call releases it when it ends or waits for another promise. */
export type ScanSlot = { release(): void }

/** The maximum number of calls with a slot: in total, and for each viewer of an app. */
type SlotLimits = { readonly total: number; readonly perKey: number }

/**
 * Gives slots to calls in the order of their requests. A call that waits because its viewer has no free slot
 * does not delay calls of other viewers.
 */
export class ScanSlots {
  readonly #limits: SlotLimits
  readonly #slotCountsByKey = new Map<string, number>()
  readonly #waitingCalls = new Set<WaitingCall>()
  #totalCount = 0

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  /**
   * Waits for a slot. `limitWait` limits the waiting time: if its promise rejects, the call stops waiting.
   *
   * @throws the error that `limitWait` rejects with.
   */
  async take(key: string, limitWait: (pendingSlot: Promise<void>) => Promise<void>): Promise<ScanSlot> {
    if (!this.#hasFreeSlot(key)) await this.#wait(key, limitWait)
    else this.#changeCount(key, 1)
    return { release: () => this.#release(key) }
  }

  async #wait(key: string, limitWait: (pendingSlot: Promise<void>) => Promise<void>): Promise<void> {
    let waitingCall: WaitingCall | undefined
    const pendingSlot = new Promise<void>(resume => {
      waitingCall = { key, resume }
      this.#waitingCalls.add(waitingCall)
    })
    try {
      await limitWait(pendingSlot)
    } catch (error) {
      // If the call received a slot at the same moment, the slot goes to the next call.
      if (waitingCall !== undefined && !this.#waitingCalls.delete(waitingCall)) this.#release(key)
      throw error
    }
  }

  #hasFreeSlot(key: string): boolean {
    return (
      this.#totalCount < this.#limits.total && (this.#slotCountsByKey.get(key) ?? 0) < this.#limits.perKey
    )
  }

  #changeCount(key: string, change: 1 | -1): void {
    this.#totalCount += change
    const count = (this.#slotCountsByKey.get(key) ?? 0) + change
    if (count === 0) this.#slotCountsByKey.delete(key)
    else this.#slotCountsByKey.set(key, count)
  }

  #release(key: string): void {
    this.#changeCount(key, -1)
    for (const waitingCall of this.#waitingCalls) {
      if (!this.#hasFreeSlot(waitingCall.key)) continue
      this.#waitingCalls.delete(waitingCall)
      this.#changeCount(waitingCall.key, 1)
      waitingCall.resume()
    }
  }
}

/** The number of edges that a call may examine without a slot. */
export const MAX_EDGES_WITHOUT_SLOT = 10_000

/**
 * The slots of this process. All graphs share them, because they also share the processor and the memory.
 */
export const PROCESS_SLOTS = new ScanSlots({ total: 8, perKey: 2 })
