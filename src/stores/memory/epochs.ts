/**
 * The clock behind snapshots. Opening one ends an epoch; whatever was stamped in that epoch or before may be seen by
 * it, and is copied before it is changed. With no snapshot open nothing is shared, and writes work in place.
 */
export class Epochs {
  readonly #open: number[] = []
  #newestOpen = 0
  #now = 1

  /** The stamp of what is made now. */
  get now(): number {
    return this.#now
  }

  /** The epoch of the oldest open snapshot, infinite where none is open. */
  get oldestOpen(): number {
    return this.#open[0] ?? Number.POSITIVE_INFINITY
  }

  /** Whether an open snapshot may see what bears this stamp. */
  isShared(stamp: number): boolean {
    return stamp <= this.#newestOpen
  }

  /** Opens a snapshot and answers its epoch. */
  open(): number {
    const epoch = this.#now++
    this.#open.push(epoch)
    this.#newestOpen = epoch
    return epoch
  }

  /** Closes the snapshot of an epoch. */
  close(epoch: number): void {
    const index = this.#open.indexOf(epoch)
    if (index >= 0) this.#open.splice(index, 1)
    this.#newestOpen = this.#open.at(-1) ?? 0
  }
}
