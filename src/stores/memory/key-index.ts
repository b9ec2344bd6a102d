/** Finds the number of a record by its key. Numbers are 1 and more; 0 stands for none. */
export interface KeyIndex {
  get(key: string): number
  /** Enters a key that is not there yet. */
  add(key: string, number: number): void
  delete(key: string): void
}
