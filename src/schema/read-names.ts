import type { Policy } from './policy.ts'

/** Collects the names of the stored fields of a record that a read needs. */
export class ReadNames {
  readonly #names = new Set<string>()
  #needsAll = false

  /** The names, or `undefined` if all fields are needed. */
  get names(): ReadonlySet<string> | undefined {
    return this.#needsAll ? undefined : this.#names
  }

  add(name: string): void {
    this.#names.add(name)
  }

  /** Adds the fields that a function of the schema reads: all fields if it does not declare them. */
  addReads(reads: readonly string[] | undefined): void {
    if (reads === undefined) this.#needsAll = true
    else for (const name of reads) this.#names.add(name)
  }

  addPolicy(policy: Policy | undefined): void {
    if (policy !== undefined) for (const { reads } of policy) this.addReads(reads)
  }
}
