/** Counts the levels of a query that need data. The engine makes one store read for each of these levels. */
export class ReadLevels {
  readonly #checks = new Map<string, number>()
  #deepest = 0
  #deepestRead = 0

  /** Adds a read of a node or a list. */
  addRead(level: number): void {
    this.#deepest = Math.max(this.#deepest, level)
    this.#deepestRead = Math.max(this.#deepestRead, level)
  }

  /** Adds a check of an edge. A level above may have the same check. */
  addCheck(edge: string, level: number): void {
    this.#deepest = Math.max(this.#deepest, level)
    this.#checks.set(edge, Math.min(level, this.#checks.get(edge) ?? level))
  }

  /** The number of levels. */
  get count(): number {
    return this.#deepest
  }

  /** The number of levels if no level repeats a check of a level above. */
  get minCount(): number {
    return Math.max(this.#deepestRead, ...this.#checks.values())
  }
}
