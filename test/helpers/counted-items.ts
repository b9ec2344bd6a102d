import fc from 'fast-check'
import { back, collection, type DatabaseDescription, defineTables, through } from 'kithgraph/tables'
import type { Condition, EdgePosition, EdgeRange, Store, StoreReadOptions } from '../../src/store/contract.ts'
import { EMPTY_REQUEST } from '../../src/store/requests.ts'
import { createRange } from '../../src/testing/records.ts'

/** The number of items of each owner. */
export const ITEM_COUNT = 2000

/** Rows with equal times, in an order that is not that of their keys. */
const ROWS = `select n as id, 1 + n % 3 as owner_id, (n * 37) % 500 as rank, case when n % 7 > 0 then n / 5 end as score,
  'state ' || n % 50 as state from numbers`

/** The statements that create tables with long lists. Both databases accept them. */
export const COUNTED_ITEMS_SQL = `
create table owner (id int primary key);
insert into owner values (1), (2), (3);
create table item_row (id int primary key, owner_id int not null, rank int not null, score int, state text not null);
with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${3 * ITEM_COUNT})
insert into item_row ${ROWS};
create index item_rank on item_row (owner_id, rank, id);
create index item_score on item_row (owner_id, score, id);
create index item_all on item_row (rank, id);
create table likes_row (owner_id int not null, item_id int not null, rank int not null, primary key (owner_id, item_id));
insert into likes_row select 1, id, rank from item_row where owner_id <> 2;
create index likes_rank on likes_row (owner_id, rank, item_id);
`

/** Defines a graph over the tables. */
export const defineItems = (db: DatabaseDescription) =>
  defineTables(
    db,
    {
      owner: {
        over: 'owner',
        fields: {},
        edges: {
          ranked: back('item', 'owner_id', { by: 'rank' }),
          scored: back('item', 'owner_id', { by: 'score', nulls: 'skip' }),
          scored_end: back('item', 'owner_id', { by: 'score', nulls: 'end' }),
          likes: through('likes_row', 'owner_id', 'item', 'item_id', {
            by: 'rank',
          }),
        },
      },
      item: { over: 'item_row', fields: { state: true, rank: true, score: true } },
    },
    { collections: { items: collection('item', { by: 'rank' }) } },
  )

const LISTS = [
  { source: 'owner-1', name: 'ranked' },
  { source: 'owner-2', name: 'scored' },
  { source: 'owner-3', name: 'scored_end' },
  { source: 'owner-1', name: 'likes' },
  { source: 'root', name: 'items' },
]

const conditions: fc.Arbitrary<readonly Condition[] | undefined> = fc.option(
  fc.array(
    fc.oneof(
      fc.nat(60).map((n): Condition => ({ kind: 'field', field: 'state', anyOf: [`state ${n}`] })),
      fc.nat(3 * ITEM_COUNT).map((n): Condition => ({ kind: 'node', id: `item-${n}` })),
    ),
    { maxLength: 2 },
  ),
  { nil: undefined, freq: 2 },
)

/** What a range of long lists is read with. Its start is the entry with a number, if there is one. */
export type CountedRange = { readonly range: EdgeRange; readonly start: number | undefined }

/** Ranges in both directions, from their beginning or their middle, with and without conditions. */
export const countedRanges: fc.Arbitrary<CountedRange> = fc
  .record({
    list: fc.constantFrom(...LISTS),
    limit: fc.integer({ min: 1, max: 40 }),
    direction: fc.constantFrom('newest' as const, 'oldest' as const),
    conditions,
    maxExamined: fc.integer({ min: 1, max: 200 }),
    start: fc.option(fc.nat(ITEM_COUNT / 2), { nil: undefined }),
  })
  .map(({ list, start, conditions: chosen, maxExamined, ...range }) => ({
    range: createRange(list.source, list.name, {
      ...range,
      count: false,
      ...(chosen !== undefined && { conditions: chosen, maxExamined }),
    }),
    start,
  }))

/** Finds the position of an entry, and returns the range from it. */
export const placeRange = async (
  store: Store,
  options: StoreReadOptions,
  { range, start }: CountedRange,
): Promise<EdgeRange> => {
  if (start === undefined) return range
  const before = { ...range, limit: start + 1, conditions: undefined, maxExamined: undefined }
  const { ranges } = await store.read({ ...EMPTY_REQUEST, ranges: [before] }, options)
  const from: EdgePosition | undefined = ranges[0]?.lastExamined
  return { ...range, from }
}

/**
 * The maximum number of rows of a list that a read of a range may read: one more shows whether the list goes on. A store
 * may leave conditions to the engine, and then reads rows up to the limit.
 */
export const maxRowsOf = ({ limit, conditions: chosen, maxExamined = 0 }: EdgeRange): number =>
  1 + (chosen === undefined ? limit : Math.max(limit, maxExamined))
