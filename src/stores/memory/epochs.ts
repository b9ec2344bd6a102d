/**
 * Numbers the periods between snapshots, the epochs: opening a snapshot ends one. The epoch in which an
 * object was created is stored with it. An open snapshot may see all objects of its epoch and earlier ones,
 * so those are copied before they change. Without an open snapshot nothing is shared, and objects are changed
 * in place.
 */
export class Epochs {
  readonly #openEpochs: number[] = []
  #newestOpenEpoch = 0
  #currentEpoch = 1

  /** The epoch of new objects. */
  get currentEpoch(): number {
    return this.#currentEpoch
  }

  /** The epoch of the oldest open snapshot, infinite without one. */
  get oldestOpenEpoch(): number {
    return this.#openEpochs[0] ?? Number.POSITIVE_INFINITY
  }

  /** Whether an open snapshot may see an object that was created in this epoch. */
  isShared(epoch: number): boolean {
    return epoch <= this.#newestOpenEpoch
  }

  /** Opens a snapshot and returns its epoch. */
  openSnapshot(): number {
    const epoch = this.#currentEpoch++
    this.#openEpochs.push(epoch)
    this.#newestOpenEpoch = epoch
    return epoch
  }

  /** Closes the snapshot of an epoch. */
  closeSnapshot(epoch: number): void {
    const index = this.#openEpochs.indexOf(epoch)
    if (index >= 0) this.#openEpochs.splice(index, 1)
    this.#newestOpenEpoch = this.#openEpochs.at(-1) ?? 0
  }
}
