import type { NodeId } from '../base/ids.ts'
import type { EdgeTest } from '../store/contract.ts'

/**
 * A map by edge tests. Nearly all are from or to the viewer: then the other end is a key as it stands, where joining a key
 * for each would cost more than all else that a rule does.
 */
export class TestMap<TValue> {
  readonly #viewer: NodeId | undefined
  readonly #from = new Map<string, Map<string, TValue>>()
  readonly #to = new Map<string, Map<string, TValue>>()
  readonly #others = new Map<string, Map<string, TValue>>()

  constructor(viewer: NodeId | undefined) {
    this.#viewer = viewer
  }

  get(test: EdgeTest): TValue | undefined {
    return this.#edgesOf(test).get(test.name)?.get(this.#keyOf(test))
  }

  set(test: EdgeTest, value: TValue): void {
    const edges = this.#edgesOf(test)
    const known = edges.get(test.name)
    if (known === undefined) edges.set(test.name, new Map([[this.#keyOf(test), value]]))
    else known.set(this.#keyOf(test), value)
  }

  #edgesOf({ source, target }: EdgeTest): Map<string, Map<string, TValue>> {
    if (source === this.#viewer) return this.#from
    return target === this.#viewer ? this.#to : this.#others
  }

  /** Ids are digits, so that what is joined can be told apart. */
  #keyOf({ source, target }: EdgeTest): string {
    if (source === this.#viewer) return target
    return target === this.#viewer ? source : `${source} ${target}`
  }
}
