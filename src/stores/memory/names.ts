/** Edge names as numbers from 1 on. They are few, and none is ever forgotten, so that snapshots share them. */
export class Names {
  readonly #numbers = new Map<string, number>()
  readonly #texts = ['']

  /** The number of a name, 0 where no edge was ever written under it. */
  find(name: string): number {
    return this.#numbers.get(name) ?? 0
  }

  /** The number of a name, a new one where it has none. */
  intern(name: string): number {
    const found = this.find(name)
    if (found !== 0) return found
    this.#numbers.set(name, this.#texts.length)
    return this.#texts.push(name) - 1
  }

  text(number: number): string {
    return this.#texts[number] ?? ''
  }
}
