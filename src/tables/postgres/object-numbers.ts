/** Numbers objects, so that the key of a cache can name them. */
export class ObjectNumbers {
  readonly #numbers = new WeakMap<object, number>()
  #count = 0

  /** Returns the number of an object, always the same. */
  get(object: object): number {
    const existing = this.#numbers.get(object)
    if (existing !== undefined) return existing
    this.#numbers.set(object, ++this.#count)
    return this.#count
  }
}
