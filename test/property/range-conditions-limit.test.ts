import fc from 'fast-check'
import { createGraph, defineSchema, edge, field, fieldEquals, isViewer, node, parameter } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { DEFAULT_PASS_SIZES } from '../../src/read/pass-size.ts'
import type { Store } from '../../src/store/contract.ts'
import type { StoreMutation } from '../../src/store/mutations.ts'
import { captureOutcome } from '../helpers/call-graph.ts'
import { createPushingStore, examineFewRows } from '../helpers/pushing-store.ts'
import { countExamined, createFixedPassSizes, overrideScan } from '../helpers/scan-overrides.ts'
import { propertySettings } from './property-settings.ts'

const OWNER = '9000'
const ABOVE = '9001'

const schema = defineSchema(
  {
    shelf: node({
      edges: {
        things: edge('thing', {
          parameters: { rank: parameter.int() },
          reads: ['rank'],
          where: ({ target }, { rank }) => rank === undefined || target.fields.rank === rank,
        }),
        shelves: edge('shelf'),
      },
    }),
    thing: node({
      policy: [fieldEquals('open', true), isViewer({ of: 'owner' })],
      fields: { open: field.bool(), rank: field.int(), owner: field.ref('shelf') },
    }),
  },
  { viewers: ['shelf'] },
)

/** For each entry of a list, from the newest, whether it is visible. */
const lists = fc.array(fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.constant(true)), {
  minLength: 1,
  maxLength: 220,
  size: 'max',
})

const idAt = (index: number): string => `${index + 1}`

const rankAt = (index: number): number => index % 3

const mutationsOf = (list: readonly boolean[]): StoreMutation[] => [
  { op: 'putNode', node: { id: OWNER, type: 'shelf', fields: {} } },
  { op: 'putNode', node: { id: ABOVE, type: 'shelf', fields: {} } },
  { op: 'putEdge', edge: { source: ABOVE, name: 'shelves', target: OWNER, time: 0 } },
  ...list.flatMap((open, index): StoreMutation[] => [
    { op: 'putNode', node: { id: idAt(index), type: 'thing', fields: { open, rank: rankAt(index) } } },
    { op: 'putEdge', edge: { source: OWNER, name: 'things', target: idAt(index), time: -index } },
  ]),
]

const cases = fc.record({
  list: lists,
  limit: fc.integer({ min: 1, max: 8 }),
  drawn: fc.integer({ min: 1, max: 8 }),
  summary: fc.boolean(),
  counts: fc.boolean(),
  seed: fc.option(fc.nat(), { nil: undefined }),
})

type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never

/** Opens a graph over a store that filters by conditions, with a limit of `drawn` edges for each call. */
const openList = async ({ list, drawn, counts, seed }: Omit<Case, 'limit' | 'summary'>) => {
  const store = createMemoryStore()
  await store.write(mutationsOf(list), { signal: undefined })
  const pushing: Store = createPushingStore(store, {
    counts,
    chooseExamined: seed === undefined ? undefined : examineFewRows(seed),
  })
  const graph = createGraph(pushing, { schema, limits: { scan: 1 }, secret: 'the secret of the tests' })
  overrideScan(graph, { drawUniform: () => drawn - 1 })
  return { graph, session: graph.session({ viewer: OWNER, app: 'tests', scopes: [] }) }
}

/** Returns the number of rows up to the entry that completes a page. */
const rowsOfPage = (list: readonly boolean[], limit: number): number => {
  const visible = list.flatMap((open, index) => (open ? [index] : []))
  return (visible[limit] ?? list.length - 1) + 1
}

/** Returns the number of rows that a count costs. An entry that the engine counts is a whole edge, of 32 rows. */
const rowsOfCount = ({ list, summary, counts }: Case): number => {
  const engineCount = counts ? 0 : list.filter(Boolean).length
  return summary ? list.length + 31 * engineCount : 0
}

const visibleIds = (list: readonly boolean[]): readonly string[] =>
  list.flatMap((open, index) => (open ? [idAt(index)] : []))

type Page = {
  readonly data: readonly { readonly id: string }[]
  readonly paging?: { readonly next?: string; readonly cursors: { readonly after?: string } }
  readonly summary?: { readonly total_count: number }
}

const idsOf = ({ data }: Page): readonly string[] => data.map(({ id }) => id)

const PASS_SIZES = [DEFAULT_PASS_SIZES, ...[1, 7, 10_000].map(createFixedPassSizes)]

describe('a row that the store examines under conditions', () => {
  it('counts as 1/32 edge against the scan limit, up to the entry that completes the page, unless the engine counts it', async () => {
    const seen = { failed: 0, succeeded: 0 }
    await fc.assert(
      fc.asyncProperty(cases, async one => {
        const { list, limit, summary, drawn } = one
        const { graph, session } = await openList(one)
        const fields = `shelves{things.limit(${limit})${summary ? '.summary(true)' : ''}{id}}`
        let outcome: unknown
        const examined = await countExamined(async () => {
          outcome = await captureOutcome(() => graph.getNode(session, { id: ABOVE, fields }))
        })
        const rows = rowsOfPage(list, limit) + rowsOfCount(one)
        const fits = rows <= 32 * drawn
        seen[fits ? 'succeeded' : 'failed']++
        if (!fits) {
          expect(outcome).toEqual({ reason: 'query_too_expensive' })
          return
        }
        expect(examined).toBe(rows / 32)
        const page: Page = Object(outcome).result.shelves.data[0].things ?? { data: [] }
        expect(idsOf(page)).toEqual(visibleIds(list).slice(0, limit))
        if (summary) expect(page.summary?.total_count).toBe(visibleIds(list).length)
      }),
      propertySettings(150),
    )
    expect(Math.min(seen.failed, seen.succeeded)).toBeGreaterThan(5)
  })

  it('counts equally if the store counts the list, whatever the sizes of its passes are', async () => {
    const one = { list: Array.from({ length: 9 }, () => true), limit: 1, summary: true, counts: true }
    const rows = rowsOfPage(one.list, one.limit) + one.list.length
    for (const passSizes of PASS_SIZES) {
      const { graph, session } = await openList({ ...one, drawn: 8, seed: undefined })
      overrideScan(graph, { passSizes })
      const fields = 'things.limit(1).summary(true){id}'
      const examined = await countExamined(async () => {
        const { things }: { things?: Page } = Object(await graph.getNode(session, { id: OWNER, fields }))
        expect(things?.summary?.total_count).toBe(one.list.length)
      })
      expect(examined).toBe(rows / 32)
    }
  })

  it('counts equally in a filtered list, whatever the sizes of its passes are', async () => {
    await fc.assert(
      fc.asyncProperty(cases, fc.constantFrom(...PASS_SIZES), async (one, passSizes) => {
        const { list, limit, summary } = one
        const { graph, session } = await openList({ ...one, drawn: 1000, counts: false })
        overrideScan(graph, { passSizes })
        const fields = `things.rank(0).limit(${limit})${summary ? '.summary(true)' : ''}{id}`
        let page: Page = { data: [] }
        const examined = await countExamined(async () => {
          page = Object(await graph.getNode(session, { id: OWNER, fields })).things ?? page
        })
        const matching = list.map((open, index) => open && rankAt(index) === 0)
        expect(idsOf(page)).toEqual(visibleIds(matching).slice(0, limit))
        if (summary) expect(page.summary?.total_count ?? 0).toBe(visibleIds(matching).length)
        expect(examined).toBe((rowsOfPage(matching, limit) + rowsOfCount({ ...one, counts: false })) / 32)
      }),
      propertySettings(150),
    )
  })

  it('may be the last one of a page of getEdge, whose cursor continues the list', async () => {
    let limitedCount = 0
    await fc.assert(
      fc.asyncProperty(cases, async one => {
        const { list, limit, drawn } = one
        const { graph, session } = await openList(one)
        const ids: string[] = []
        let after: string | undefined
        do {
          const from = after
          let page: Page = { data: [] }
          const examined = await countExamined(async () => {
            page = await graph.getEdge(session, {
              id: OWNER,
              edge: 'things',
              limit,
              after: from,
              fields: 'id',
            })
          })
          ids.push(...idsOf(page))
          after = page.paging?.next === undefined ? undefined : page.paging.cursors.after
          const endsAtLimit = after?.includes('.') === true
          if (endsAtLimit) expect(examined).toBe(drawn)
          else expect(examined).toBeLessThanOrEqual(drawn)
          if (endsAtLimit) limitedCount++
        } while (after !== undefined)
        expect(ids).toEqual(visibleIds(list))
      }),
      propertySettings(80),
    )
    expect(limitedCount).toBeGreaterThan(0)
  })
})
