import fc from 'fast-check'
import { createHandler } from 'kithgraph/http'
import { describe, expect, it } from 'vitest'
import { createKeySabotages } from '../helpers/key-store.ts'
import { parseLink } from '../helpers/links.ts'
import { idsOf, iteratePages, type Page } from './edge-lists.ts'
import {
  addEntry,
  dataOf,
  idOf,
  type KeyPageOptions,
  type KeyWorld,
  keyEntries,
  keyWorlds,
  listIds,
  ORDERS,
  openKeyWorld,
} from './key-lists.ts'
import { propertySettings } from './property-settings.ts'

const pageOptions: fc.Arbitrary<KeyPageOptions> = fc.record({
  limit: fc.constantFrom(1, 1, 2, 5),
  order: fc.constantFrom('chronological', 'reverse_chronological'),
})

const inOrder = (world: KeyWorld, { order }: KeyPageOptions): readonly string[] =>
  order === 'chronological' ? listIds(world).toReversed() : listIds(world)

type OpenedWorld = Awaited<ReturnType<typeof openKeyWorld>>
type Way = keyof OpenedWorld['ways']
const WAYS: readonly Way[] = ['call', 'twiceBelow']

const readForwards = async (
  { ways }: OpenedWorld,
  way: Way,
  options: KeyPageOptions,
): Promise<readonly string[]> => {
  const pages: Page[] = []
  for await (const page of iteratePages(where => ways[way](options, where))) {
    pages.push(page)
    if (pages.length > 100) throw new Error('the pages of the list do not end')
  }
  return pages.flatMap(idsOf)
}

/** Reads the pages before the last entry, from the end to the beginning. */
const readBackwards = async (
  { ways }: OpenedWorld,
  way: Way,
  options: KeyPageOptions,
): Promise<readonly string[]> => {
  const whole = await ways[way]({ ...options, limit: 100 }, {})
  const walked: string[] = []
  let before = whole.paging?.cursors.after
  while (before !== undefined) {
    const page = await ways[way](options, { before })
    walked.unshift(...idsOf(page))
    before = page.paging?.previous && page.paging.cursors.before
    if (walked.length > 100) throw new Error('the pages of the list do not end')
  }
  return walked
}

for (const kind of ['time', 'text'] as const) {
  describe.each(['digits', 'named'] as const)(`a list with ${kind} keys and ids of the kind %s`, ids => {
    const worlds = keyWorlds(ids, kind)

    it.each(WAYS)('is the same as its joined pages, forwards and backwards (%s)', async way => {
      await fc.assert(
        fc.asyncProperty(worlds, pageOptions, async (world, options) => {
          const opened = await openKeyWorld(world)
          const whole = inOrder(world, options)
          expect(await readForwards(opened, way, options)).toEqual(whole)
          expect(await readBackwards(opened, way, options)).toEqual(whole.slice(0, -1))
        }),
        propertySettings(12),
      )
    })

    it('is the same as its pages if the scan limit ends them', async () => {
      await fc.assert(
        fc.asyncProperty(worlds, pageOptions, async (world, options) => {
          const opened = await openKeyWorld(world, { scan: 2 })
          expect(await readForwards(opened, 'call', options)).toEqual(inOrder(world, options))
        }),
        propertySettings(12),
      )
    })

    it('is the same through iterateEdge and through links over HTTP', async () => {
      await fc.assert(
        fc.asyncProperty(worlds, pageOptions, async (world, options) => {
          const { graph, session, owner } = await openKeyWorld(world)
          const whole = inOrder(world, options)
          const iterated: unknown[] = []
          for await (const { id } of graph.iterateEdge(session, { id: owner, edge: 'likes', ...options }))
            iterated.push(id)
          expect(iterated).toEqual(whole)
          const handler = createHandler(graph)
          const authorization = `Bearer ${await graph.tokens.issue({ viewer: owner, app: 'tests', scopes: [] })}`
          const linked: string[] = []
          let url: string | undefined =
            `https://graph.test/${owner}/likes?limit=${options.limit}&order=${options.order}`
          while (url !== undefined) {
            const page: Page = JSON.parse(
              await (await handler(new Request(url, { headers: { authorization } }))).text(),
            )
            linked.push(...idsOf(page))
            url = page.paging?.next
          }
          expect(linked).toEqual(whole)
        }),
        propertySettings(8),
      )
    })

    it('has every unchanged entry exactly once in its pages while others are written and deleted', async () => {
      await fc.assert(
        fc.asyncProperty(worlds, keyEntries, pageOptions, async (world, others, options) => {
          const opened = await openKeyWorld(world)
          const numbers = new Set(world.entries.map(({ number }) => number))
          const changes = others
            .filter(({ number }) => !numbers.has(number))
            .map(entry => addEntry(ids, entry))
          const deleted = world.entries[0]
          const found: string[] = []
          for await (const page of iteratePages(where => opened.ways.call(options, where))) {
            found.push(...idsOf(page))
            await opened.write(...(changes.shift() ?? []))
            if (deleted !== undefined)
              await opened.write({
                op: 'deleteNode',
                id: idOf(ids, deleted.number),
              })
          }
          const kept = inOrder({ ...world, entries: world.entries.slice(1) }, options)
          expect(found.filter(id => kept.includes(id))).toEqual(kept)
        }),
        propertySettings(12),
      )
    })

    it('shows the key of a hidden entry in no cursor that is not encrypted', async () => {
      const hiding = worlds.map(world => ({ ...world, hasPolicy: true }))
      await fc.assert(
        fc.asyncProperty(hiding, pageOptions, async (world, options) => {
          const opened = await openKeyWorld(world, { scan: 2 })
          const visible = world.entries.filter(({ isHidden }) => !isHidden)
          const keyOf = (entry: (typeof visible)[number]) =>
            `${kind === 'time' ? dataOf(entry).micros : dataOf(entry).label}`
          const visibleKeys = new Set(visible.map(keyOf))
          for await (const { paging } of iteratePages(where => opened.ways.call(options, where))) {
            for (const cursor of [paging?.cursors.before, paging?.cursors.after]) {
              if (cursor === undefined || cursor[8] === '.') continue
              expect(world.isPublic).toBe(true)
              const key = Buffer.from(cursor.slice(19, cursor.indexOf('.')), 'base64url').toString()
              expect(visibleKeys).toContain(key)
            }
          }
        }),
        propertySettings(12),
      )
    })

    it('is read by the links of its pages as by their cursors', async () => {
      await fc.assert(
        fc.asyncProperty(worlds, pageOptions, async (world, options) => {
          const { graph, session, ways } = await openKeyWorld(world)
          for await (const { paging } of iteratePages(where => ways.twiceBelow(options, where))) {
            if (paging?.next === undefined) continue
            const linked: Page = await graph.getEdge(session, parseLink(paging.next))
            expect(idsOf(linked)).toEqual(idsOf(await ways.call(options, { after: paging.cursors.after })))
          }
        }),
        propertySettings(8),
      )
    })
  })

  describe(`the laws of a list with ${kind} keys`, () => {
    it.each(createKeySabotages(ORDERS[kind]))('do not hold for a store with: $name', async ({ create }) => {
      const law = fc.asyncProperty(keyWorlds('digits', kind), pageOptions, async (world, options) => {
        const opened = await openKeyWorld(world, { store: create(), scan: 2 })
        expect(await readForwards(opened, 'call', options)).toEqual(inOrder(world, options))
      })
      const { failed } = await fc.check(law, { ...propertySettings(1000), endOnFailure: true })
      expect(failed).toBe(true)
    })
  })
}
