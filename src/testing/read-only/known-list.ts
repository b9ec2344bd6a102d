import type { NodeId } from '../../base/ids.ts'
import { usageError } from '../../base/usage-error.ts'
import { comparePositions } from '../../store/compare-positions.ts'
import type { EdgePosition, EdgeRange, RangeResult } from '../../store/contract.ts'
import { type Model, readModelRange } from '../model.ts'
import type { KnownEdge } from './store-records.ts'

/** @throws TypeError for a list in which only some of the edges have a key. */
const assertKeys = (source: NodeId, name: string, edges: readonly KnownEdge[]): void => {
  const keyCount = edges.filter(({ key }) => key !== undefined).length
  if (keyCount === 0 || keyCount === edges.length) return
  throw usageError(
    'describeReadOnlyStore',
    'records.edges',
    'edges of which all or none of a list have a key',
    `${keyCount} of ${edges.length} with a key in the list ${JSON.stringify(name)} of ${source}`,
  )
}

/** A list of the records, with the results that a store must return. */
export class KnownList {
  readonly source: NodeId
  readonly name: string
  /** The edges in the order `oldest`. */
  readonly edges: readonly KnownEdge[]
  /** Whether the positions have keys. The order of these is that in which the edges are given. */
  readonly hasKeys: boolean
  /** Whether a range may have limits of times. If the keys are no times, all times are 0. */
  readonly hasTimes: boolean
  readonly #model: Model
  readonly #indexes: ReadonlyMap<NodeId, number>

  constructor(source: NodeId, name: string, edges: readonly KnownEdge[], model: Model) {
    assertKeys(source, name, edges)
    this.source = source
    this.name = name
    this.hasKeys = edges.some(({ key }) => key !== undefined)
    this.hasTimes = !this.hasKeys || edges.some(({ time }) => time !== 0)
    this.edges = this.hasKeys ? edges : edges.toSorted(comparePositions)
    this.#model = { ...model, edges: [...edges] }
    this.#indexes = new Map(this.edges.map(({ target }, index) => [target, index]))
  }

  /** Returns the result of a range. With keys, the range begins at the start or at the position of an edge. */
  read(range: EdgeRange): RangeResult {
    if (!this.hasKeys) return readModelRange(this.#model, range)
    const { entries, lastExamined, ...rest } = readModelRange(
      this.#model,
      range,
      (a, b) => this.#indexOf(a) - this.#indexOf(b),
    )
    return {
      ...rest,
      entries: entries.map(entry => this.#withKey(entry)),
      lastExamined: lastExamined && this.#withKey(lastExamined),
    }
  }

  #indexOf({ target }: EdgePosition): number {
    return this.#indexes.get(target) ?? -1
  }

  #withKey<TPosition extends EdgePosition>(position: TPosition): TPosition {
    return { ...position, key: this.edges[this.#indexOf(position)]?.key }
  }
}
