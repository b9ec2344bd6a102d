import { PGlite } from '@electric-sql/pglite'
import fc from 'fast-check'
import { back, createTableStore, type DatabaseDescription, defineTables, ref } from 'kithgraph/tables'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AheadList, AheadRef, AheadStep, Condition, ReadAhead, Store } from '../../src/store/contract.ts'
import { EMPTY_REQUEST, UNTIMED_OPTIONS } from '../../src/store/requests.ts'
import { propertySettings } from '../property/property-settings.ts'

const shared = { uniques: [], indexes: [], schema: 'public' } as const
const id = { type: 'int8' } as const

const db = {
  dialect: 'postgres',
  tables: {
    account: {
      ...shared,
      name: 'account',
      columns: { id, best_id: { type: 'int8', nullable: true } },
      key: ['id'],
      foreignKeys: [{ columns: ['best_id'], table: 'photo', references: ['id'] }],
    },
    photo: {
      ...shared,
      name: 'photo',
      columns: {
        id,
        owner_id: id,
        state: { type: 'text' },
        code: { type: 'bpchar' },
        meta: { type: 'jsonb' },
      },
      key: ['id'],
      foreignKeys: [{ columns: ['owner_id'], table: 'account', references: ['id'] }],
    },
  },
} as const satisfies DatabaseDescription

const { tables } = defineTables(db, {
  account: {
    over: 'account',
    fields: { best: ref('photo', 'best_id') },
    edges: { photos: back('photo', 'owner_id') },
  },
  photo: {
    over: 'photo',
    fields: { state: true, code: true, meta: true },
    edges: { fans: back('account', 'best_id') },
  },
})

let client: PGlite
let store: Store

beforeAll(async () => {
  client = await PGlite.create()
  await client.exec(`
    create table account (id bigint primary key, best_id bigint);
    create table photo (id bigint primary key, owner_id bigint not null, state text not null, code bpchar not null, meta jsonb not null);
    insert into account values (1, 1);
    insert into photo select n, 1, 'public', 'a', '{}' from generate_series(1, 9) as n`)
  store = createTableStore(client, { tables })
})

afterAll(() => client.close())

const createListStep = (name: string, members: Partial<AheadList>): AheadList => ({
  kind: 'list',
  name,
  direction: 'newest',
  limit: 3,
  count: false,
  ...members,
})

/** Reads photos of the account ahead, after some refs, and returns their entries. */
const readPhotos = async (step: AheadList, refs: readonly AheadRef[] = []) => {
  const hint: ReadAhead = new Map([['account', [...refs, step]]])
  const request = { ...EMPTY_REQUEST, nodes: ['account-1'], nodesAhead: [hint] }
  const { nodes } = await store.read(request, UNTIMED_OPTIONS)
  const result = nodes[0]?.ahead?.at(-1)
  return result && 'entries' in result ? result.entries : undefined
}

const countPhotos = async (
  limit: number,
  conditions?: readonly Condition[],
  refs?: readonly AheadRef[],
): Promise<number | undefined> =>
  (await readPhotos(createListStep('photos', { limit, conditions }), refs))?.length

describe('a list that is read ahead over tables in Postgres', () => {
  it('has its limit under conditions that SQL cannot evaluate, after a read without conditions', async () => {
    const state: Condition = { kind: 'field', field: 'state', anyOf: ['public', 'draft'] }
    const meta: Condition = { kind: 'field', field: 'meta', anyOf: ['here'] }
    expect(await countPhotos(3)).toBe(3)
    expect(await countPhotos(3, [state, meta])).toBe(3)
    expect(await countPhotos(3, [state])).toBe(3)
  })

  it('has the rows of its conditions after a read with one that holds for no row', async () => {
    const unknown: Condition = { kind: 'edge', name: 'photos', from: 'account-1', where: { missing: 1 } }
    const state = (value: string): Condition => ({ kind: 'field', field: 'state', anyOf: [value] })
    expect(await countPhotos(4, [unknown, state('public')])).toBe(4)
    expect(await countPhotos(4, [state('public')])).toBe(4)
    expect(await countPhotos(4, [state('draft')])).toBe(0)
  })

  it('has its limit after a ref with conditions that SQL cannot evaluate exactly', async () => {
    const code: Condition = { kind: 'field', field: 'code', anyOf: ['x'] }
    const best: AheadRef = { kind: 'ref', field: 'best' }
    expect(await countPhotos(3, undefined, [best])).toBe(3)
    expect(await countPhotos(3, undefined, [{ ...best, conditions: [code] }])).toBe(3)
  })

  it('has no list below the entry after a page only if SQL evaluates its conditions exactly', async () => {
    const ahead = new Map([['photo', [createListStep('fans', {})]]])
    const hasLists = async (conditions: readonly Condition[]) => {
      const entries = await readPhotos(createListStep('photos', { pageLimit: 2, conditions, ahead }))
      return entries?.map(({ node }) => node.ahead?.[0] !== undefined)
    }
    const state: Condition = { kind: 'field', field: 'state', anyOf: ['public'] }
    const code: Condition = { kind: 'field', field: 'code', anyOf: ['a'] }
    expect(await hasLists([state])).toEqual([true, true, false])
    expect(await hasLists([code])).toEqual([true, true, true])
  })
})

/** Conditions that SQL evaluates, exactly or not, one that it cannot evaluate, and one that holds for no row. */
const CONDITIONS: readonly Condition[] = [
  { kind: 'field', field: 'state', anyOf: ['public'] },
  { kind: 'field', field: 'code', anyOf: ['a', 'b'] },
  { kind: 'edge', name: 'photos', from: 'account-1' },
  { kind: 'field', field: 'meta', anyOf: ['here'] },
  { kind: 'edge', name: 'photos', from: 'account-1', where: { missing: 1 } },
]

const conditions = fc.option(fc.subarray([...CONDITIONS], { maxLength: 2 }), { nil: undefined })
const list = fc.record({
  kind: fc.constant('list' as const),
  name: fc.constant('photos'),
  direction: fc.constantFrom('newest' as const, 'oldest' as const),
  limit: fc.integer({ min: 1, max: 4 }),
  count: fc.boolean(),
  maxExamined: fc.constantFrom(2, 1000),
})
const pageLimits = fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined })
/** Hints that differ in their conditions and page limits alone. */
const hints = fc
  .tuple(list, fc.array(fc.tuple(conditions, conditions, pageLimits), { minLength: 2, maxLength: 8 }))
  .map(([list, tuples]) =>
    tuples.map(([ofRef, ofList, pageLimit]): readonly AheadStep[] => [
      { kind: 'ref', field: 'best', conditions: ofRef },
      { ...list, conditions: ofList, pageLimit },
    ]),
  )

describe('what a store over tables in Postgres reads ahead', () => {
  it('does not depend on the hints of earlier reads', async () => {
    const readAhead = async (reader: Store, steps: readonly AheadStep[]) => {
      const nodesAhead = [new Map([['account', steps]])]
      const { nodes } = await reader.read(
        { ...EMPTY_REQUEST, nodes: ['account-1'], nodesAhead },
        UNTIMED_OPTIONS,
      )
      return nodes[0]?.ahead
    }
    await fc.assert(
      fc.asyncProperty(hints, async hints => {
        const used = createTableStore(client, { tables })
        for (const steps of hints)
          expect(await readAhead(used, steps)).toEqual(
            await readAhead(createTableStore(client, { tables }), steps),
          )
      }),
      propertySettings(40, 1000),
    )
  })
})
