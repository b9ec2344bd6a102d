/** Edge names as numbers from 1 on. They are few and never removed, so that snapshots share them. */
export class EdgeNameTable {
  readonly #numbers = new Map<string, number>()
  readonly #names = ['']

  /** Returns the number of a name, 0 if no edge was ever written with it. */
  findNumber(name: string): number {
    return this.#numbers.get(name) ?? 0
  }

  /** Returns the number of a name, a new one if it has none. */
  intern(name: string): number {
    const existingNumber = this.findNumber(name)
    if (existingNumber !== 0) return existingNumber
    this.#numbers.set(name, this.#names.length)
    return this.#names.push(name) - 1
  }

  nameOf(number: number): string {
    return this.#names[number] ?? ''
  }
}
