import { GraphError } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { isPromiseLike } from '../../src/base/awaitable.ts'
import { compareIds } from '../../src/base/ids.ts'
import type {
  EdgeEntry,
  EdgePosition,
  EdgeRange,
  RangeResult,
  Store,
  StoreReader,
} from '../../src/store/contract.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'

/** An order of lists whose values milliseconds do not hold. */
export type KeyOrder = {
  readonly kind: 'time' | 'text'
  /** Returns the key of an entry, and its value rounded down to milliseconds, or 0. */
  positionOf(entry: EdgeEntry): { readonly key: string; readonly time: number }
  /** Whether an entry may have a key. Callers can make up others. */
  isKey(key: string): boolean
  compareKeys(a: string, b: string): number
}

/** Orders entries by the microseconds in their data, or by their times. A number does not hold all microseconds. */
export const MICROSECONDS: KeyOrder = {
  kind: 'time',
  positionOf: ({ data, time }) =>
    data?.micros === undefined
      ? { key: `${BigInt(time) * 1000n}`, time }
      : { key: `${data.micros}`, time: Math.floor(Number(data.micros) / 1000) },
  isKey: key => /^-?\d{1,20}$/.test(key),
  compareKeys: (a, b) => Number(BigInt(a) - BigInt(b)),
}

/** Orders entries by a text in their data. */
export const TEXTS: KeyOrder = {
  kind: 'text',
  positionOf: ({ data }) => ({ key: `${data?.label ?? ''}`, time: 0 }),
  isKey: () => true,
  compareKeys: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
}

/** Compares two positions of a list with keys. */
export type ComparePositions = (a: EdgePosition, b: EdgePosition) => number

const requireKey = ({ key, time, target }: EdgePosition): string => {
  if (key === undefined) throw new Error(`the position ${time} ${target} has lost its key`)
  return key
}

export const createCompare =
  ({ compareKeys }: KeyOrder): ComparePositions =>
  (a, b) =>
    compareKeys(requireKey(a), requireKey(b)) || compareIds(a.target, b.target)

/** How a store with keys differs from a correct one, which returns whole ranges. */
export type KeyStoreOptions = {
  /** The maximum number of entries that the store returns for a range. */
  readonly maxEntries?: number
  /** Compares an entry with the position from which a range continues. */
  readonly compareFrom?: ComparePositions
  /** Changes the results of the store. */
  readonly mapResult?: (result: RangeResult) => RangeResult
}

const selectRange = (
  entries: readonly EdgeEntry[],
  range: EdgeRange,
  { compare, compareFrom }: { readonly [name in 'compare' | 'compareFrom']: ComparePositions },
  maxEntries: number,
): Omit<RangeResult, 'total'> => {
  const { direction, from, minTime, maxTime, limit } = range
  const sign = direction === 'newest' ? -1 : 1
  const matching = entries
    .filter(({ time }) => time >= (minTime ?? time) && time <= (maxTime ?? time))
    .filter(entry => from === undefined || sign * compareFrom(entry, from) > 0)
    .toSorted((a, b) => sign * compare(a, b))
  const page = matching.slice(0, Math.min(limit, maxEntries))
  const last = page.at(-1)
  return {
    entries: page,
    hasMore: last !== undefined && matching.length > page.length,
    lastExamined: last && { time: last.time, target: last.target, key: last.key },
  }
}

/**
 * Creates a store whose lists are in an order by keys. It keeps its records in another store, and reads whole lists of
 * it.
 */
export const createKeyStore = (
  order: KeyOrder,
  {
    maxEntries = Number.POSITIVE_INFINITY,
    compareFrom = createCompare(order),
    mapResult,
  }: KeyStoreOptions = {},
  store: Store = createMemoryStore(),
): Store => {
  const readFrom =
    (reader: StoreReader): StoreReader['read'] =>
    (request, options) => {
      const ranges = request.ranges.map(({ source, name, direction, count }) => ({
        ...{ source, name, direction, count, limit: 1_000_000 },
        ...{ from: undefined, minTime: undefined, maxTime: undefined },
      }))
      const toResult = (range: EdgeRange, { entries, total }: RangeResult): RangeResult => {
        if (range.from !== undefined && !order.isKey(requireKey(range.from)))
          throw new GraphError('invalid_parameter', '(#100) The cursor is of no entry', {
            parameter: 'after',
          })
        const keyed = entries.map(entry => ({ ...entry, ...order.positionOf(entry) }))
        const result = {
          ...selectRange(keyed, range, { compare: createCompare(order), compareFrom }, maxEntries),
          total,
        }
        return mapResult === undefined ? result : mapResult(result)
      }
      const result = reader.read({ ...request, ranges }, options)
      if (isPromiseLike(result)) throw new Error('expected a store that reads synchronously')
      return {
        ...result,
        ranges: request.ranges.flatMap((range, index) => {
          const whole = result.ranges[index]
          return whole === undefined ? [] : [toResult(range, whole)]
        }),
      }
    }
  return delegateStore(store, {
    read: readFrom(store),
    snapshot: async () => {
      const snapshot = await store.snapshot()
      return { read: readFrom(snapshot), close: () => snapshot.close() }
    },
  })
}

const withoutKey = ({ time, target }: EdgePosition): EdgePosition => ({ time, target })

/** Stores that handle keys wrongly. */
export const createKeySabotages = (
  order: KeyOrder,
): readonly { readonly name: string; readonly create: () => Store }[] => [
  {
    name: 'positions compared by time alone',
    create: () =>
      createKeyStore(order, { compareFrom: (a, b) => a.time - b.time || compareIds(a.target, b.target) }),
  },
  {
    name: 'key dropped from lastExamined',
    create: () =>
      createKeyStore(order, {
        compareFrom: (a, b) =>
          a.key === undefined || b.key === undefined
            ? a.time - b.time || compareIds(a.target, b.target)
            : createCompare(order)(a, b),
        mapResult: result => ({
          ...result,
          lastExamined: result.lastExamined && withoutKey(result.lastExamined),
        }),
      }),
  },
]
