import type { Store } from '../../../src/store/contract.ts'

/** A store with one thing wrong, and the section of the suite that has to find it. */
export type Sabotage = {
  readonly name: string
  readonly section: string
  readonly create: () => Store
}
