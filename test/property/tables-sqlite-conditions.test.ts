import Database from 'better-sqlite3'
import fc from 'fast-check'
import { createTableStore } from 'kithgraph/tables'
import { describe, expect, it } from 'vitest'
import type { Condition, EdgePosition, EdgeRange, NodeRecord, Store } from '../../src/store/contract.ts'
import { EMPTY_REQUEST, UNTIMED_OPTIONS } from '../../src/store/requests.ts'
import { SHOP_DDL, SHOP_SESSION, shop } from '../helpers/sqlite-shop.ts'

const OPTIONS = { ...UNTIMED_OPTIONS, session: { ...SHOP_SESSION, issuedAt: 0, expiresAt: undefined } }
const SOURCE = 'customer-1'

type Row = {
  readonly title: string | null
  readonly rank: number | null
  readonly iso: string | null
  readonly customer_id: number
  readonly isLiked: boolean
  readonly weight: number
}

const rows = fc.array(
  fc.record<Row>({
    title: fc.constantFrom(null, 'a', 'A', '1', '01'),
    rank: fc.constantFrom(null, 0, 1, 2),
    iso: fc.constantFrom(null, null, '2024-01-01', '2024-01-02'),
    customer_id: fc.constantFrom(1, 1, 1, 2),
    isLiked: fc.boolean(),
    weight: fc.constantFrom(0, 1),
  }),
  { maxLength: 15 },
)
const conditions = fc.array(
  fc.oneof<fc.Arbitrary<Condition>[]>(
    fc.constantFrom<Condition>(
      { kind: 'field', field: 'title', anyOf: ['a', '1'] },
      { kind: 'field', field: 'title', anyOf: [1, true] },
      { kind: 'field', field: 'rank', anyOf: [1, '2'] },
      { kind: 'field', field: 'unknown', anyOf: [1] },
      { kind: 'node', id: 'item-s3' },
      { kind: 'node', of: 'customer', id: 'customer-2' },
      { kind: 'edge', name: 'likes', from: 'customer-2' },
      { kind: 'edge', name: 'likes', from: 'customer-2', where: { weight: 1 } },
      { kind: 'edge', name: 'likes', from: 'customer-2', where: { weight: [0, 'x'] } },
      { kind: 'edge', name: 'likes', of: 'customer', to: 'item-s1' },
      { kind: 'edge', name: 'likes', from: 'customer-3' },
    ),
  ),
  { maxLength: 3 },
)

const openStore = (world: readonly Row[]): Store => {
  const database = new Database(':memory:')
  database.exec(SHOP_DDL)
  database.exec("insert into customer (id, tenant, name) values (1, 1, 'a'), (2, 1, 'b'), (3, 2, 'c')")
  const addItem = database.prepare(
    'insert into item (sku, customer_id, title, rank, iso, ms) values (?, ?, ?, ?, ?, ?)',
  )
  const like = database.prepare("insert into likes values (?, ?, ?, '2024-01-01')")
  for (const [index, row] of world.entries()) {
    addItem.run(`s${index}`, row.customer_id, row.title, row.rank, row.iso, index % 4)
    if (row.isLiked) for (const customer of [2, 3]) like.run(customer, `s${index}`, row.weight)
  }
  return createTableStore(database, { tables: shop.tables })
}

/** Evaluates a condition by its definition. */
const holds = (world: readonly Row[], { id, fields }: NodeRecord, condition: Condition): boolean => {
  const row = world[Number(id.slice('item-s'.length))]
  if (row === undefined) return false
  if (condition.kind === 'field') return condition.anyOf.some(value => value === fields[condition.field])
  if (condition.kind === 'node') return (condition.of === undefined ? id : fields.customer) === condition.id
  if (condition.of !== undefined) return fields.customer === 'customer-2' && world[1]?.isLiked === true
  const { weight } = condition.where ?? {}
  const weights = weight === undefined ? [0, 1] : Array.isArray(weight) ? weight : [weight]
  return condition.from === 'customer-2' && row.isLiked && weights.includes(row.weight)
}

describe('conditions of ranges over tables of SQLite', () => {
  it('examine each row once, and let exactly those through for which a condition holds', async () => {
    await fc.assert(
      fc.asyncProperty(
        rows,
        conditions,
        fc.constantFrom('by_ms', 'by_iso', 'by_sku'),
        fc.constantFrom('newest' as const, 'oldest' as const),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 5 }),
        async (world, anyOf, name, direction, limit, maxExamined) => {
          const store = openStore(world)
          const read = async (range: Partial<EdgeRange>) => {
            const whole = {
              source: SOURCE,
              name,
              direction,
              minTime: undefined,
              maxTime: undefined,
              limit: 100,
              count: false,
              from: undefined,
              ...range,
            }
            return (await store.read({ ...EMPTY_REQUEST, ranges: [whole] }, OPTIONS)).ranges[0]
          }
          const all = (await read({}))?.entries ?? []
          const passing = all.filter(({ node }) => anyOf.some(condition => holds(world, node, condition)))
          const received: string[] = []
          let examined = 0
          let from: EdgePosition | undefined
          for (let hasMore = true; hasMore; ) {
            const page = await read({ conditions: anyOf, limit, maxExamined, from })
            received.push(...(page?.entries ?? []).map(({ target }) => target))
            examined += page?.examined ?? 0
            if (page?.entries.length === limit) expect(received.at(-1)).toBe(all[examined - 1]?.target)
            hasMore = page?.hasMore ?? false
            expect(hasMore).toBe(examined < all.length)
            expect(page?.examined).toBeLessThanOrEqual(maxExamined)
            expect(page?.lastExamined?.target).toBe(
              page?.examined === 0 ? undefined : all[examined - 1]?.target,
            )
            from = page?.lastExamined
          }
          expect(received).toEqual(passing.map(({ target }) => target))
          const counted = await read({ conditions: anyOf, limit: 0, count: true, maxExamined: 100 })
          expect(counted?.total).toBe(all.length)
          expect(counted?.passing).toBe(passing.length)
          if (all.length > 1)
            expect(
              (await read({ conditions: anyOf, limit: 0, count: true, maxExamined: 1 }))?.passing,
            ).toBeUndefined()
        },
      ),
      { numRuns: process.env.KITHGRAPH_LONG ? 3000 : 200 },
    )
  })
})
