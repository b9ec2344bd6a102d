import { refillLimit } from '../plan/cost.ts'
import type { Limits } from '../plan/limits.ts'
import type { Sifted } from '../plan/plan.ts'

/** How many edges one call may still examine beyond the first passes of its lists. */
export class ScanBudget {
  /** What one list may examine. */
  readonly perList: number
  #left: number
  /** What the lists took that are not done: shares are of this and of what is left, so that no list is before another. */
  #taken = 0
  #lists = 0

  constructor(limits: Pick<Limits, 'scan' | 'scanQuery'>, sifted: Sifted) {
    this.perList = limits.scan
    this.#left = refillLimit(limits, sifted)
  }

  enter(lists: number): void {
    this.#lists += lists
  }

  /** A list is done: what it did not take is for the others. */
  leave(taken: number): void {
    this.#lists--
    this.#taken -= taken
  }

  /** Takes what a list wants, as far as it goes: in all no more than its even share, and than any one list may examine. */
  take(wanted: number, { read, taken }: { readonly read: number; readonly taken: number }): number {
    const share = Math.floor((this.#left + this.#taken) / Math.max(1, this.#lists)) - taken
    const granted = Math.max(0, Math.min(wanted, share, this.perList - read, this.#left))
    this.#left -= granted
    this.#taken += granted
    return granted
  }
}
