import type { NodeId } from '../base/ids.ts'
import type { EdgeKey } from '../store/contract.ts'

/**
 * A map by edge keys. Nearly all edges are from or to the viewer, so that the id of the other end is enough
 * as a key: joining a key for each edge would take longer than everything else that a rule does.
 */
export class EdgeKeyMap<TValue> {
  readonly #viewer: NodeId | undefined
  readonly #fromViewer = new Map<string, Map<string, TValue>>()
  readonly #toViewer = new Map<string, Map<string, TValue>>()
  readonly #otherEdges = new Map<string, Map<string, TValue>>()

  constructor(viewer: NodeId | undefined) {
    this.#viewer = viewer
  }

  get(key: EdgeKey): TValue | undefined {
    return this.#valuesByName(key).get(key.name)?.get(this.#endKeyOf(key))
  }

  set(key: EdgeKey, value: TValue): void {
    const valuesByName = this.#valuesByName(key)
    const valuesByEnds = valuesByName.get(key.name)
    if (valuesByEnds === undefined) valuesByName.set(key.name, new Map([[this.#endKeyOf(key), value]]))
    else valuesByEnds.set(this.#endKeyOf(key), value)
  }

  #valuesByName({ source, target }: EdgeKey): Map<string, Map<string, TValue>> {
    if (source === this.#viewer) return this.#fromViewer
    return target === this.#viewer ? this.#toViewer : this.#otherEdges
  }

  /** The key within the edges of one name. Ids are digits, so that joined ids are unambiguous. */
  #endKeyOf({ source, target }: EdgeKey): string {
    if (source === this.#viewer) return target
    return target === this.#viewer ? source : `${source} ${target}`
  }
}
