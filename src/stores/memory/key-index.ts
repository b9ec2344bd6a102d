/** Finds the number of a record by its key. Numbers are 1 and more; 0 means none. */
export interface KeyIndex {
  get(key: string): number
  /** Returns the numbers of many keys, by position. */
  getAll(keys: readonly string[]): number[]
  /** Adds a key that does not exist yet. */
  add(key: string, number: number): void
  delete(key: string): void
}
