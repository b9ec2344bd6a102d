import Database from 'better-sqlite3'
import fc from 'fast-check'
import { namedId } from 'kithgraph'
import { createTableStore } from 'kithgraph/tables'
import { describe, expect, it } from 'vitest'
import type { EdgePosition, EdgeRange, RangeResult, Store } from '../../src/store/contract.ts'
import { EMPTY_REQUEST, UNTIMED_OPTIONS } from '../../src/store/requests.ts'
import { SHOP_DDL, SHOP_SESSION, shop } from '../helpers/sqlite-shop.ts'

/** A value as it is stored, of any class of SQLite. */
type Cell = null | number | string | Uint8Array
type Item = {
  readonly sku: Cell
  readonly customer_id: number | null
  readonly title: Cell
  readonly price: Cell
  readonly ms: Cell
  readonly seconds: Cell
  readonly iso: Cell
  readonly deleted_at: number | null
}
type Like = {
  readonly customer_id: number
  readonly sku: Cell
  readonly at: Cell
  readonly weight: number | null
}
type World = { readonly items: readonly Item[]; readonly likes: readonly Like[] }

const OTHER_CLASSES = fc.constantFrom<Cell>('junk', '', '12x', Uint8Array.of(1, 2), Uint8Array.of(97))
const texts = fc.oneof(
  fc.constantFrom<Cell>(
    'a',
    'A',
    'b',
    '',
    '42',
    '042',
    "it's",
    '日本',
    'é\u0301',
    '🎉',
    'x\0y',
    '\u00a0',
    '\ufeff',
  ),
  fc.constantFrom<Cell>(
    'x'.repeat(190),
    'x'.repeat(191),
    'é'.repeat(31),
    'é'.repeat(32),
    'y'.repeat(499),
    'y'.repeat(500),
  ),
  fc.string({ unit: 'binary', maxLength: 6 }).filter(text => !/[\ufffe\uffff]/.test(text)),
)
const times = fc.integer({ min: -3, max: 3 })
const orNull = (cells: fc.Arbitrary<Cell>): fc.Arbitrary<Cell> =>
  fc.oneof({ arbitrary: cells, weight: 6 }, { arbitrary: fc.constant(null), weight: 1 })
const mixed = (cells: fc.Arbitrary<Cell>): fc.Arbitrary<Cell> =>
  orNull(fc.oneof({ arbitrary: cells, weight: 6 }, { arbitrary: OTHER_CLASSES, weight: 1 }))
const isoTexts = fc.constantFrom<Cell>(
  '1970-01-01',
  '1970-01-01 00:00',
  '1970-01-01T00:00:00',
  '1970-01-01 00:00:00Z',
  '1969-12-31T23:59:59.999Z',
  '1970-01-01T00:00:00.001+00:00',
  '1970-01-01 00:00:00.0015',
  '1970-01-01 00:00:00.002',
  '2024-02-29 12:00',
  '2023-02-29',
  '2024-01-01T24:00',
  '2024-01-01 10:00+02:00',
  '2024-01-01  10:00',
  '2024-01-01T10:00:00 Z',
  'now',
  '2024-01-01t10:00',
  '2024-01-01 10:00z',
  '2460000.5',
  '10:00',
  '0000-01-01',
  '9999-12-31T23:59:59.9999Z',
)
const items = fc.uniqueArray(
  fc.record<Item>({
    sku: orNull(
      fc.oneof(
        { arbitrary: texts, weight: 8 },
        { arbitrary: fc.constant<Cell>(Uint8Array.of(98)), weight: 1 },
      ),
    ),
    customer_id: fc.constantFrom(1, 1, 1, 2, 3, null),
    title: mixed(texts),
    price: mixed(fc.constantFrom<Cell>(0, 1, 1.5, -2, 1e21, Number.POSITIVE_INFINITY, 0.1)),
    ms: mixed(fc.oneof(times, fc.constantFrom<Cell>(0.5, -0.5, 9e15, 8.64e15))),
    seconds: mixed(fc.oneof(times, fc.constantFrom<Cell>(0.0015, -0.001, 1.5, 9e12, 1e300))),
    iso: mixed(isoTexts),
    deleted_at: fc.constantFrom(null, null, null, 5),
  }),
  { maxLength: 12, selector: ({ sku }) => (sku instanceof Uint8Array ? 'bytes' : (sku ?? Symbol('null'))) },
)
const worlds: fc.Arbitrary<World> = items.chain(rows =>
  fc.record({
    items: fc.constant(rows),
    likes: fc.uniqueArray(
      fc.record<Like>({
        customer_id: fc.constantFrom(1, 2),
        sku: fc.constantFrom<Cell>('missing', ...rows.map(({ sku }) => sku)),
        at: mixed(isoTexts),
        weight: fc.constantFrom(null, 1),
      }),
      { maxLength: 10, selector: ({ customer_id, sku }) => `${customer_id} ${typeof sku} ${sku}` },
    ),
  }),
)

const insert = (database: Database.Database, table: string, row: object): void => {
  const names = Object.keys(row)
  database
    .prepare(`insert into ${table} (${names}) values (${names.map(() => '?')})`)
    .run(...Object.values(row))
}

const fill = ({ items, likes }: World): Database.Database => {
  const database = new Database(':memory:')
  database.exec(SHOP_DDL)
  for (const [id, tenant] of [
    [1, 1],
    [2, 1],
    [3, 2],
  ])
    insert(database, 'customer', { id, tenant, name: 'n', active: 1, item_count: 7 })
  for (const item of items) insert(database, 'item', item)
  for (const like of likes) insert(database, 'likes', like)
  return database
}

// The model below shares no code with the store.

const bytesOf = (text: string): Buffer => Buffer.from(text)
const isText = (cell: Cell): cell is string => typeof cell === 'string' && !cell.includes('\0')
const idLengthOf = (key: string): number =>
  [...key].reduce(
    (sum, character) => sum + (/[\w-]/.test(character) ? 1 : 3 * bytesOf(character).length),
    0,
  ) || 1
const isNode = ({ sku, deleted_at }: Item): boolean =>
  isText(sku) && idLengthOf(sku) <= 190 && deleted_at === null

/** The affinity of a column converts texts that look like numbers. */
const stored = (cell: Cell, isNumeric: boolean): Cell =>
  isNumeric && typeof cell === 'string' && cell !== '' && Number.isFinite(Number(cell)) ? Number(cell) : cell

const isoTimeOf = (cell: Cell): number | undefined => {
  if (typeof cell !== 'string') return undefined
  const match = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?(?:Z|\+00:00)?)?$/.exec(cell)
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map(part => Number(part ?? 0))
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59) return undefined
  return date.setUTCHours(hour, minute, second) + Math.floor(Number(`${match[7] ?? 0}`) * 1000 + 1e-9)
}

/** The value of an order: its time, and what sorts it. Undefined for a value that is not of its column. */
type Sorted = { readonly time: number; readonly value: number | string }
const LIMIT = 8.64e15
const timed = (value: number, time: number): Sorted | undefined =>
  Math.abs(time) <= LIMIT ? { time: Math.floor(time), value } : undefined
const LISTS: {
  readonly [name: string]: {
    nulls: 'none' | 'skip' | 'end'
    column: string
    read: (cell: Cell) => Sorted | undefined
    total: (length: number) => number | undefined
  }
} = {
  by_ms: {
    nulls: 'none',
    column: 'ms',
    read: cell => (typeof cell === 'number' ? timed(cell, cell) : undefined),
    total: length => length,
  },
  by_seconds: {
    nulls: 'skip',
    column: 'seconds',
    read: cell => (typeof cell === 'number' ? timed(cell, cell * 1000) : undefined),
    total: length => length,
  },
  by_iso: {
    nulls: 'end',
    column: 'iso',
    read: cell => {
      const time = isoTimeOf(cell)
      return time === undefined ? undefined : { time, value: `${cell}` }
    },
    total: length => length,
  },
  by_title: {
    nulls: 'end',
    column: 'title',
    read: cell => (isText(cell) && bytesOf(cell).length < 500 ? { time: 0, value: cell } : undefined),
    total: length => (length > 3 ? undefined : length),
  },
  by_price: {
    nulls: 'skip',
    column: 'price',
    read: cell => (typeof cell === 'number' ? { time: 0, value: cell } : undefined),
    total: () => 7,
  },
  by_sku: { nulls: 'none', column: 'sku', read: () => ({ time: 0, value: 0 }), total: length => length },
  likes: {
    nulls: 'none',
    column: 'at',
    read: cell => {
      const time = isoTimeOf(cell)
      return time === undefined ? undefined : { time, value: `${cell}` }
    },
    total: length => length,
  },
}
const TIMED = new Set(['by_ms', 'by_seconds', 'by_iso', 'likes'])

type Expected = {
  readonly id: string
  readonly time: number
  readonly isNull: boolean
  readonly sorted: Sorted | undefined
  readonly sku: string
}
const compareValues = (a: number | string, b: number | string): number =>
  typeof a === 'number' && typeof b === 'number'
    ? Math.sign(a - b) || 0
    : Buffer.compare(bytesOf(`${a}`), bytesOf(`${b}`))
const compare = (a: Expected, b: Expected): number => {
  if (a.isNull !== b.isNull) return a.isNull ? -1 : 1
  const byValue =
    a.sorted && b.sorted && a.sorted.value !== b.sorted.value
      ? compareValues(a.sorted.value, b.sorted.value)
      : 0
  return byValue || Buffer.compare(bytesOf(a.sku), bytesOf(b.sku))
}

/** The entries of a list, the newest first. */
const listOf = ({ items, likes }: World, customer: number, name: string): readonly Expected[] => {
  const list = LISTS[name]
  if (list === undefined || customer === 3) return []
  const nodes = items.filter(isNode)
  const rows =
    name === 'likes'
      ? likes
          .filter(like => like.customer_id === customer && nodes.some(({ sku }) => sku === like.sku))
          .map(({ sku, at }) => ({ sku, cell: at }))
      : nodes
          .filter(item => item.customer_id === customer)
          .map(item => ({
            sku: item.sku,
            cell: Object.entries(item).find(([key]) => key === list.column)?.[1] ?? null,
          }))
  return rows
    .flatMap(({ sku, cell }) => {
      const value = stored(cell, list.column !== 'title' && list.column !== 'sku')
      const sorted = list.read(value)
      const isNull = value === null && list.nulls === 'end'
      if (sorted === undefined && !isNull) return []
      return [{ id: namedId('item', `${sku}`), time: sorted?.time ?? 0, isNull, sorted, sku: `${sku}` }]
    })
    .sort(compare)
    .reverse()
}

const OPTIONS = { ...UNTIMED_OPTIONS, session: { ...SHOP_SESSION, issuedAt: 0, expiresAt: undefined } }
const openStore = (world: World): Store => createTableStore(fill(world), { tables: shop.tables })
const readRange = async (
  store: Store,
  range: Partial<EdgeRange> & Pick<EdgeRange, 'source' | 'name'>,
): Promise<RangeResult> => {
  const whole = {
    direction: 'newest',
    from: undefined,
    minTime: undefined,
    maxTime: undefined,
    limit: 100,
    count: false,
    ...range,
  } as const
  const { ranges } = await store.read({ ...EMPTY_REQUEST, ranges: [whole] }, OPTIONS)
  const [result] = ranges
  if (result === undefined) throw new Error('no range')
  return result
}

const listNames = fc.constantFrom(...Object.keys(LISTS))
const directions = fc.constantFrom('newest' as const, 'oldest' as const)
const customers = fc.constantFrom(1, 1, 2, 3, 4)
const bounds = fc.option(
  fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(-1000, 1000, 1_709_208_000_000)),
  { nil: undefined },
)

describe('a store over tables of SQLite with values of any class', () => {
  const runs = { numRuns: process.env.KITHGRAPH_LONG ? 5000 : 300 }

  it('returns each list as its pages, for every limit, direction and window of times', async () => {
    await fc.assert(
      fc.asyncProperty(
        worlds,
        customers,
        listNames,
        directions,
        fc.integer({ min: 1, max: 4 }),
        bounds,
        bounds,
        async (world, customer, name, direction, limit, minTime, maxTime) => {
          const store = openStore(world)
          const all = listOf(world, customer, name)
          const hasWindow = TIMED.has(name) && (minTime !== undefined || maxTime !== undefined)
          const inWindow = all.filter(
            ({ time, isNull }) =>
              !hasWindow || (!isNull && time >= (minTime ?? -LIMIT) && time <= (maxTime ?? LIMIT)),
          )
          const expected = direction === 'newest' ? inWindow : [...inWindow].reverse()
          const received: { id: string; time: number }[] = []
          let from: EdgePosition | undefined
          for (let hasMore = true; hasMore; ) {
            const page = await readRange(store, {
              source: namedId('customer', customer),
              name,
              direction,
              limit,
              minTime,
              maxTime,
              from,
            })
            received.push(...page.entries.map(({ target, time }) => ({ id: target, time })))
            expect(page.hasMore).toBe(received.length < expected.length)
            if (page.hasMore) expect(page.entries).toHaveLength(limit)
            from = page.lastExamined
            hasMore = page.hasMore && received.length <= expected.length
          }
          expect(received).toEqual(expected.map(({ id, time }) => ({ id, time })))
        },
      ),
      runs,
    )
  })

  it('counts as many entries as the list has, and finds exactly its entries', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, customers, listNames, async (world, customer, name) => {
        const store = openStore(world)
        const source = namedId('customer', customer)
        const expected = listOf(world, customer, name)
        const { total } = await readRange(store, { source, name, limit: 0, count: true })
        expect(total).toBe(customer > 2 ? 0 : LISTS[name]?.total(expected.length))
        const targets = world.items.flatMap(({ sku }) =>
          isText(sku) && idLengthOf(sku) <= 190 ? [namedId('item', sku)] : [],
        )
        const { checks, nodes } = await store.read(
          { ...EMPTY_REQUEST, nodes: targets, checks: targets.map(target => ({ source, name, target })) },
          OPTIONS,
        )
        expect(checks).toEqual(targets.map(target => expected.some(({ id }) => id === target)))
        expect(nodes.map(node => node?.id)).toEqual(
          targets.map(target =>
            world.items.some(item => isNode(item) && namedId('item', `${item.sku}`) === target)
              ? target
              : undefined,
          ),
        )
      }),
      runs,
    )
  })
})
