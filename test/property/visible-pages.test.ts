import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EdgeSlice, Store } from '../../src/store/contract.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { outcomeOf } from '../helpers/ask.ts'
import { examinedWhile, seededDraws } from '../helpers/scan-seams.ts'
import { asked, idsOf, type Where } from './edge-lists.ts'
import {
  type Entry,
  endOf,
  HALF,
  isSealed,
  OWNER,
  openPolicedList,
  type PolicedPage,
  pagesOf,
  policedLists,
  scanLimits,
  visibleIn,
  visibleWholeOf,
  walk,
  ways,
} from './policed-lists.ts'
import { settings } from './settings.ts'

const joined = (wrap?: (store: Store) => Store) =>
  fc.asyncProperty(policedLists, asked, ways, async (list, asked, way) => {
    const pages = await pagesOf(walk(await openPolicedList(list, { wrap }), way, asked, {}))
    expect(pages.flatMap(idsOf)).toEqual(visibleWholeOf(list, asked))
    const sizes = pages.slice(0, -1).map(({ data }) => data.length)
    expect(sizes).toEqual(sizes.map(() => asked.limit))
    expect(pages.slice(1).every(({ data }) => data.length > 0)).toBe(true)
    expect(pages.some(({ paging }) => isSealed(paging?.cursors.after))).toBe(false)
  })

describe('the pages of a list of which much is hidden', () => {
  it('joined are all that is visible, and all but the last are full', async () => {
    await fc.assert(joined(), settings(150))
  })

  it('lead back to the beginning, each of them full but the first of the list', async () => {
    await fc.assert(
      fc.asyncProperty(policedLists, asked, ways, async (list, asked, way) => {
        const before = await endOf(list, asked)
        if (before === undefined) return
        const pages = (await pagesOf(walk(await openPolicedList(list), way, asked, { before }))).toReversed()
        expect(pages.flatMap(idsOf)).toEqual(visibleWholeOf(list, asked).slice(0, -1))
        expect(pages.slice(1).every(({ data }) => data.length === asked.limit)).toBe(true)
        expect(pages.every(({ data, paging }) => data.length === 0 || paging?.next !== undefined)).toBe(true)
        expect(pages.some(({ paging }) => isSealed(paging?.cursors.before))).toBe(false)
      }),
      settings(150),
    )
  })

  it('count what is visible of the whole list, wherever they are in it', async () => {
    await fc.assert(
      fc.asyncProperty(policedLists, asked, ways, async (list, asked, way) => {
        const pages = await pagesOf(walk(await openPolicedList(list), way, asked, {}))
        const counts = pages.map(({ summary }) => summary?.total_count)
        expect(counts).toEqual(counts.map(() => visibleIn(list).length))
      }),
      settings(150),
    )
  })
})

describe('the law of pages finds', () => {
  /** What a store answers wrongly to the passes behind the first: to ranges that begin within a list. */
  const behindTheFirst = (store: Store, wrong: (slice: EdgeSlice) => Partial<EdgeSlice>): Store =>
    delegateStore(store, {
      read: async (wave, options) => {
        const answer = await store.read(wave, options)
        const ranges = answer.ranges.map((slice, index) =>
          wave.ranges[index]?.from === undefined ? slice : { ...slice, ...wrong(slice) },
        )
        return { ...answer, ranges }
      },
    })

  const sabotages: { readonly [name: string]: (store: Store) => Store } = {
    'a pass that loses its first entry': store =>
      behindTheFirst(store, ({ entries }) => ({ entries: entries.slice(1) })),
    'a pass after which no other comes': store => behindTheFirst(store, () => ({ more: false })),
    'rules that are told of no edge': store =>
      delegateStore(store, {
        read: async (wave, options) => {
          const answer = await store.read(wave, options)
          return { ...answer, tests: answer.tests.map(() => false) }
        },
      }),
  }

  it.each(Object.entries(sabotages))('%s', async (_name, wrap) => {
    const { failed } = await fc.check(joined(wrap), { ...settings(200), endOnFailure: true })
    expect(failed).toBe(true)
  })
})

/** A list whose pages end at limits drawn from a seed, as they may without a count. */
const openCut = (list: readonly Entry[], { scan, seed }: { readonly scan: number; readonly seed: number }) =>
  openPolicedList(list, { limits: { scan }, summary: false, drawUniform: seededDraws(seed) })

/** A page of a call of its own may end at the limit. */
const cutWays = fc.constantFrom('call', 'link')

describe('pages of getEdge that end at the drawn limit', () => {
  it('still join to all that is visible, forwards and by iterateEdge', async () => {
    await fc.assert(
      fc.asyncProperty(policedLists, asked, cutWays, scanLimits, async (list, asked, way, limit) => {
        const opened = await openCut(list, limit)
        const pages = await pagesOf(walk(opened, way, asked, {}))
        expect(pages.flatMap(idsOf)).toEqual(visibleWholeOf(list, asked))
        expect(await opened.iterate(asked)).toEqual(visibleWholeOf(list, asked))
        for (const { data, paging } of pages) {
          if (data.length < asked.limit && paging?.next !== undefined) {
            expect(isSealed(paging.cursors.after)).toBe(true)
            expect(paging.next).toContain(`after=${paging.cursors.after}`)
          }
          if (data.length === 0 && paging !== undefined) {
            expect(Object.keys(paging.cursors)).toEqual(['after'])
          }
        }
      }),
      settings(200),
    )
  })

  it('still join to all that is visible, backwards', async () => {
    await fc.assert(
      fc.asyncProperty(policedLists, asked, cutWays, scanLimits, async (list, asked, way, limit) => {
        const before = await endOf(list, asked)
        if (before === undefined) return
        const pages = await pagesOf(walk(await openCut(list, limit), way, asked, { before }))
        expect(pages.toReversed().flatMap(idsOf)).toEqual(visibleWholeOf(list, asked).slice(0, -1))
        for (const { data, paging } of pages) {
          if (data.length < asked.limit && paging?.previous !== undefined) {
            expect(isSealed(paging.cursors.before)).toBe(true)
            expect(paging.previous).toContain(`before=${paging.cursors.before}`)
          }
        }
      }),
      settings(200),
    )
  })

  it('have a sealed cursor, which holds for its own list and viewer alone', async () => {
    await fc.assert(
      fc.asyncProperty(policedLists, asked, async (list, asked) => {
        const { graph, session, ways } = await openCut(list, { scan: 1, seed: 1 })
        const { paging } = await ways.call(asked, {})
        const after = paging?.cursors.after
        if (after === undefined || !isSealed(after)) return
        const other = graph.session({ viewer: OWNER, app: 'tests', scopes: [] })
        const call = { edge: 'likes', order: asked.order, after }
        expect(await outcomeOf(() => graph.getEdge(session, { ...call, id: OWNER }))).toHaveProperty('answer')
        const refused = { fault: 'bad_parameter' }
        expect(await outcomeOf(() => graph.getEdge(session, { ...call, id: HALF }))).toEqual(refused)
        expect(await outcomeOf(() => graph.getEdge(other, { ...call, id: OWNER }))).toEqual(refused)
      }),
      settings(50),
    )
  })

  it('have examined as many edges as were drawn if their cursor is sealed, else no more', async () => {
    await fc.assert(
      fc.asyncProperty(policedLists, asked, scanLimits, fc.nat(9), async (list, asked, { scan }, tenths) => {
        const drawUniform = () => tenths / 10
        const opened = await openPolicedList(list, { limits: { scan }, summary: false, drawUniform })
        const drawn = Math.floor(scan * (1 + tenths / 10))
        const pages: PolicedPage[] = []
        let where: Where | undefined = {}
        while (where !== undefined) {
          const from: Where = where
          const examined = await examinedWhile(async () => {
            pages.push(await opened.ways.call(asked, from))
          })
          const { next, cursors } = pages.at(-1)?.paging ?? {}
          if (isSealed(cursors?.after)) expect(examined).toBe(drawn)
          else expect(examined).toBeLessThanOrEqual(drawn)
          where = next === undefined ? undefined : { after: cursors?.after }
        }
        expect(pages.flatMap(idsOf)).toEqual(visibleWholeOf(list, asked))
      }),
      settings(100),
    )
  })
})

describe('a call that examines more than its drawn limit', () => {
  it('fails unless it is a page of getEdge alone; every other call is as without a limit', async () => {
    const seen = { failed: 0, answered: 0 }
    await fc.assert(
      fc.asyncProperty(policedLists, asked, ways, scanLimits, async (list, asked, way, { scan, seed }) => {
        const unlimited = await openPolicedList(list)
        let page: unknown
        const examined = await examinedWhile(async () => {
          page = await unlimited.ways[way](asked, {}, undefined)
        })
        const draw = seededDraws(seed)()
        const opened = await openPolicedList(list, { limits: { scan }, drawUniform: () => draw })
        const outcome = await outcomeOf(() => opened.ways[way](asked, {}, undefined))
        const fits = examined <= Math.floor(scan * (1 + draw))
        expect(outcome).toEqual(fits ? { answer: page } : { fault: 'too_costly' })
        seen[fits ? 'answered' : 'failed']++
      }),
      settings(200),
    )
    expect(Math.min(seen.failed, seen.answered)).toBeGreaterThan(20)
  })
})
