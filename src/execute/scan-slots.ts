/** A call of one viewer that waits. */
type Waiting = { readonly key: string; readonly start: () => void }

/** The permission to examine further edges, which a call holds until it ends. */
export type Slot = { release(): void }

/** How many calls may hold a slot: in all, and of one viewer of an app. */
type SlotCounts = { readonly all: number; readonly each: number }

/** Hands out slots in the order of the requests; who waits for a slot of a busy viewer delays no other viewer. */
export class ScanSlots {
  readonly #counts: SlotCounts
  readonly #held = new Map<string, number>()
  readonly #waiting = new Set<Waiting>()
  #all = 0

  constructor(counts: SlotCounts) {
    this.#counts = counts
  }

  /**
   * Waits for a slot. `settled` bounds the wait; if it rejects, the request is withdrawn.
   *
   * @throws what `settled` rejects with.
   */
  async take(key: string, settled: (slot: Promise<void>) => Promise<void>): Promise<Slot> {
    if (!this.#isFree(key)) await this.#wait(key, settled)
    else this.#hold(key, 1)
    return { release: () => this.#release(key) }
  }

  async #wait(key: string, settled: (slot: Promise<void>) => Promise<void>): Promise<void> {
    let waiting: Waiting | undefined
    const slot = new Promise<void>(start => {
      waiting = { key, start }
      this.#waiting.add(waiting)
    })
    try {
      await settled(slot)
    } catch (error) {
      // A slot that was given at the same moment goes to the next one.
      if (waiting !== undefined && !this.#waiting.delete(waiting)) this.#release(key)
      throw error
    }
  }

  #isFree(key: string): boolean {
    return this.#all < this.#counts.all && (this.#held.get(key) ?? 0) < this.#counts.each
  }

  #hold(key: string, change: 1 | -1): void {
    this.#all += change
    const held = (this.#held.get(key) ?? 0) + change
    if (held === 0) this.#held.delete(key)
    else this.#held.set(key, held)
  }

  #release(key: string): void {
    this.#hold(key, -1)
    for (const waiting of this.#waiting) {
      if (!this.#isFree(waiting.key)) continue
      this.#waiting.delete(waiting)
      this.#hold(waiting.key, 1)
      waiting.start()
    }
  }
}

/** Edges that a call examines before it needs a slot. */
export const FREE_EDGES = 10_000

/**
 * The slots of this process. They are shared by all graphs in it, because what they protect is: the processor and the memory.
 */
export const PROCESS_SLOTS = new ScanSlots({ all: 8, each: 2 })
