/** Finds the number of a record by its key. Numbers are 1 and more; 0 stands for none. */
export interface KeyIndex {
  get(key: string): number
  /** The numbers of many keys, by position. */
  getAll(keys: readonly string[]): number[]
  /** Enters a key that is not there yet. */
  add(key: string, number: number): void
  delete(key: string): void
}
