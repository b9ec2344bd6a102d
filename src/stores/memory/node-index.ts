import { type NodeId, startsWithDigit } from '../../base/ids.ts'
import { IdIndex } from './id-index.ts'
import { type KeyIndex, TextIndex } from './record-table.ts'

/** Maps ids of both kinds to numbers. A store that contains only digits looks them up as an {@link IdIndex}. */
export class NodeIndex implements KeyIndex {
  readonly #digits = new IdIndex()
  readonly #named = new TextIndex()
  #hasNamed = false

  get(id: NodeId): number {
    return startsWithDigit(id) ? this.#digits.get(id) : this.#named.get(id)
  }

  getAll(ids: readonly NodeId[]): number[] {
    return this.#hasNamed ? ids.map(id => this.get(id)) : this.#digits.getAll(ids)
  }

  add(id: NodeId, number: number): void {
    if (startsWithDigit(id)) {
      this.#digits.add(id, number)
      return
    }
    this.#hasNamed = true
    this.#named.add(id, number)
  }

  delete(id: NodeId): void {
    if (startsWithDigit(id)) this.#digits.delete(id)
    else this.#named.delete(id)
  }
}
