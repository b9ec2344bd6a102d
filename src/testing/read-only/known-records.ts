import { type IdKind, idKindOf, isNodeId, type NodeId } from '../../base/ids.ts'
import type { EdgeKey, EdgeRecord, StoreReadRequest, StoreReadResult } from '../../store/contract.ts'
import { type Model, readModel, readModelCheck, readModelRange } from '../model.ts'
import { KnownList } from './known-list.ts'
import { createModel, type KnownEdge, type StoreRecords } from './store-records.ts'

/** Returns up to `count` items of an array, spread evenly, with the first and the last one. */
export const pickEvenly = <T>(items: readonly T[], count: number): readonly T[] => {
  if (items.length <= count) return items
  const step = (items.length - 1) / (count - 1)
  return Array.from({ length: count }, (_, index) => items[Math.round(index * step)]).flatMap(
    item => item ?? [],
  )
}

/** The smallest distance between items that `shuffle` puts next to each other. */
const MIN_STRIDE = 7919

const findCommonDivisor = (a: number, b: number): number => (b === 0 ? a : findCommonDivisor(b, a % b))

/** Returns each item of an array once, in an order that is always the same, but not sorted. */
export const shuffle = <T>(items: readonly T[]): readonly T[] => {
  if (items.length === 0) return []
  let stride = MIN_STRIDE
  // With a common divisor, some items would be returned several times, and others never.
  while (findCommonDivisor(stride, items.length) > 1) stride++
  return items.flatMap((_, index) => {
    const start = (index * stride) % items.length
    return items.slice(start, start + 1)
  })
}

const keyOf = ({ source, name }: Omit<EdgeKey, 'target'>): string => JSON.stringify([source, name])
const edgeKeyOf = ({ source, name, target }: EdgeKey): string => JSON.stringify([source, name, target])

/** The smallest and the largest id of each kind. */
export const EXTREME_IDS: {
  readonly [kind in IdKind]: { readonly smallest: NodeId; readonly largest: NodeId }
} = {
  digits: { smallest: '1', largest: '9223372036854775807' },
  named: { smallest: 'a--', largest: `${'z'.repeat(63)}-${'z~'.repeat(94)}zz` },
}
/** Ids that are likely to be missing, of every length that a store may handle differently. */
const LIKELY_MISSING_IDS: { readonly [kind in IdKind]: readonly NodeId[] } = {
  digits: ['1', '10', '2147483648', '9007199254740992', '9007199254740993', EXTREME_IDS.digits.largest],
  named: ['user-1', 'user-10', 'user-.20', 'user-1~2', EXTREME_IDS.named.smallest, EXTREME_IDS.named.largest],
}
/** Names that are likely to be unknown. */
const LIKELY_UNKNOWN_NAMES = ['no such edge', '', '\u0000', '__proto__', "'"]
/** The number of existing ids whose neighbours are tried as missing ids. */
const NEIGHBOUR_COUNT = 10

/** Returns texts that are near an id in the order of its kind. Some of them are not ids. */
const neighboursOf = (id: NodeId): readonly string[] =>
  idKindOf(id) === 'digits'
    ? [`${BigInt(id) - 1n}`, `${BigInt(id) + 1n}`]
    : [id.slice(0, -1), `${id}-`, `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`, swapCase(id)]

/** Returns a named id with the other case in its key. */
const swapCase = (id: NodeId): string => {
  const keyStart = id.indexOf('-')
  const key = id.slice(keyStart)
  return id.slice(0, keyStart) + (key === key.toUpperCase() ? key.toLowerCase() : key.toUpperCase())
}

/** The records that a store contains, with the results that it must return. */
export class KnownRecords {
  readonly model: Model
  readonly ids: readonly NodeId[]
  /** The kind of the ids. */
  readonly idKind: IdKind
  /** Ids of no node: fixed ids, and the ids directly below and above existing ones. */
  readonly missingIds: readonly NodeId[]
  readonly unknownNames: readonly string[]
  readonly lists: readonly KnownList[]
  readonly #listsByKey: ReadonlyMap<string, KnownList>
  readonly #edgesByKey: ReadonlyMap<string, readonly EdgeRecord[]>

  constructor(records: StoreRecords) {
    this.model = createModel(records)
    this.ids = [...this.model.nodes.keys()]
    this.idKind = idKindOf(this.ids[0] ?? '1')
    const neighbours = pickEvenly(this.ids, NEIGHBOUR_COUNT).flatMap(neighboursOf).filter(isNodeId)
    this.missingIds = [...new Set([...LIKELY_MISSING_IDS[this.idKind], ...neighbours])].filter(
      id => !this.model.nodes.has(id),
    )
    this.#listsByKey = this.#createLists(records.edges)
    this.lists = [...this.#listsByKey.values()]
    const names = new Set(this.lists.map(list => list.name))
    this.unknownNames = LIKELY_UNKNOWN_NAMES.filter(name => !names.has(name))
    this.#edgesByKey = new Map(this.model.edges.map(edge => [edgeKeyOf(edge), [edge]]))
  }

  /** Returns the result that a store with these records must return. */
  read({ nodes, ranges, checks, tokens }: StoreReadRequest): StoreReadResult {
    const recordResults = readModel(this.model, { nodes, tokens, ranges: [], checks: [] })
    return {
      ...recordResults,
      ranges: ranges.map(
        range => this.findList(range)?.read(range) ?? readModelRange({ ...this.model, edges: [] }, range),
      ),
      checks: checks.map(check => readModelCheck(this.#edgesByKey.get(edgeKeyOf(check)) ?? [], check)),
    }
  }

  /** Returns up to `count` lists: half of them the longest ones, the others spread over all lists. */
  pickLists(count: number): readonly KnownList[] {
    const longest = this.lists.toSorted((a, b) => b.edges.length - a.edges.length).slice(0, count / 2)
    return [...new Set([...longest, ...pickEvenly(this.lists, count / 2)])]
  }

  /** Returns the list of a source and a name, or `undefined` if it has no edges. */
  findList(key: Omit<EdgeKey, 'target'>): KnownList | undefined {
    return this.#listsByKey.get(keyOf(key))
  }

  #createLists(edges: readonly KnownEdge[]): ReadonlyMap<string, KnownList> {
    const groups = new Map<string, KnownEdge[]>()
    for (const edge of edges) {
      const group = groups.get(keyOf(edge))
      if (group === undefined) groups.set(keyOf(edge), [edge])
      else group.push(edge)
    }
    return new Map(
      [...groups].flatMap(([key, group]) =>
        group.slice(0, 1).map(({ source, name }) => [key, new KnownList(source, name, group, this.model)]),
      ),
    )
  }
}
