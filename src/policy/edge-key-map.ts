import type { NodeId } from '../base/ids.ts'
import type { EdgeKey } from '../store/contract.ts'

/**
 * A map whose keys are edge keys. Nearly all of these edges have the viewer at one end, so the id of the
 * other end is enough as a key. Joining two ids for each edge would take longer than the rest of a rule.
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

  /**
   * Returns the part of the key that is unique among edges with the same name. Ids contain only digits, so
   * two ids joined by a space are unambiguous.
   */
  #endKeyOf({ source, target }: EdgeKey): string {
    if (source === this.#viewer) return target
    return target === this.#viewer ? source : `${source} ${target}`
  }
}
