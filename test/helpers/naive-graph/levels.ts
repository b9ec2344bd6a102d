/** The levels of a query that something is asked for at: each of them is one read of a store, if it reads level by level. */
export class Levels {
  readonly #tests = new Map<string, number>()
  #deepest = 0
  #deepestRead = 0

  /** A node or a list is read. */
  read(level: number): void {
    this.#deepest = Math.max(this.#deepest, level)
    this.#deepestRead = Math.max(this.#deepestRead, level)
  }

  /** It is asked whether an edge is there, which a level above may have asked as well. */
  test(edge: string, level: number): void {
    this.#deepest = Math.max(this.#deepest, level)
    this.#tests.set(edge, Math.min(level, this.#tests.get(edge) ?? level))
  }

  /** How many there are. */
  get count(): number {
    return this.#deepest
  }

  /** How many there are where no level asks for an edge that one above has asked for. */
  get fewest(): number {
    return Math.max(this.#deepestRead, ...this.#tests.values())
  }
}
