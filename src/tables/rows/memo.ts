/** Values that are created once for a key, and live as long as the key. */
export class Memo<TKey extends object, TValue> {
  readonly #values = new WeakMap<TKey, TValue>()

  /** Returns the value of a key. */
  get(key: TKey, create: () => TValue): TValue {
    const existing = this.#values.get(key)
    if (existing !== undefined) return existing
    const created = create()
    this.#values.set(key, created)
    return created
  }
}
