import type { Limits } from '../plan/limits.ts'

/** How many edges one call may still examine beyond the first pages of its lists. */
export class ScanBudget {
  /** What one list may examine. */
  readonly perList: number
  #left: number
  #lists = 0

  /** `reserved` is what the first passes of all lists come to: those are always read. */
  constructor({ scan, scanQuery }: Pick<Limits, 'scan' | 'scanQuery'>, reserved: number) {
    this.perList = scan
    this.#left = scanQuery - reserved
  }

  /** Lists begin: what is left is shared by all that are not done. */
  enter(lists: number): void {
    this.#lists += lists
  }

  /** Lists are done. */
  leave(lists: number): void {
    this.#lists -= lists
  }

  /** Takes what a list wants, as far as it goes: no more than its even share, and than any one list may examine. */
  take(wanted: number, examined: number): number {
    const share = Math.floor(this.#left / Math.max(1, this.#lists))
    const granted = Math.max(0, Math.min(wanted, share, this.perList - examined))
    this.#left -= granted
    return granted
  }
}
