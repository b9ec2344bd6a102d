import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseLink } from '../helpers/links.ts'
import {
  idsOf,
  iteratePages,
  listOptions,
  lists,
  openList,
  type Page,
  readWholeList,
  WAYS,
} from './edge-lists.ts'
import { propertySettings } from './property-settings.ts'

for (const way of WAYS) {
  describe(`the pages of a list, read by getEdge or below a node (${way})`, () => {
    it('together contain the whole list, and all pages but the last are full', async () => {
      await fc.assert(
        fc.asyncProperty(lists, listOptions, async (list, options) => {
          const { ways } = await openList(list)
          const pages: Page[] = []
          for await (const page of iteratePages(where => ways[way](options, where))) pages.push(page)
          expect(pages.flatMap(idsOf)).toEqual(readWholeList(list, options))
          const sizes = pages.slice(0, -1).map(({ data }) => data.length)
          expect(sizes).toEqual(sizes.map(() => options.limit))
          expect(pages.slice(1).every(({ data }) => data.length > 0)).toBe(true)
        }),
        propertySettings(100),
      )
    })

    it('together contain the same list if they are read backwards', async () => {
      await fc.assert(
        fc.asyncProperty(lists, listOptions, async (list, options) => {
          const { ways } = await openList(list)
          const whole = readWholeList(list, options)
          let page = await ways[way]({ ...options, limit: 100 }, {})
          const last = page.paging?.cursors.after
          if (last === undefined) return
          // Reads the pages before the last entry, from the end to the beginning.
          const walked: string[][] = []
          let before: string | undefined = last
          while (before !== undefined) {
            page = await ways[way](options, { before })
            walked.unshift([...idsOf(page)])
            expect(page.data.length === 0 || page.paging?.next !== undefined).toBe(true)
            before = page.paging?.previous && page.paging.cursors.before
          }
          expect(walked.flat()).toEqual(whole.slice(0, -1))
          expect(walked.slice(1).every(({ length }) => length === options.limit)).toBe(true)
        }),
        propertySettings(100),
      )
    })

    it('are the same through links as through cursors', async () => {
      await fc.assert(
        fc.asyncProperty(lists, listOptions, async (list, options) => {
          const { graph, session, ways } = await openList(list)
          const linked = async (link: string): Promise<Page> => graph.getEdge(session, parseLink(link))
          for await (const { paging } of iteratePages(where => ways[way](options, where))) {
            const { next, previous } = paging ?? {}
            if (paging === undefined) continue
            if (next !== undefined) {
              expect(await linked(next)).toEqual(await ways[way](options, { after: paging.cursors.after }))
            }
            if (previous !== undefined) {
              expect(await linked(previous)).toEqual(
                await ways[way](options, { before: paging.cursors.before }),
              )
            }
          }
        }),
        propertySettings(50),
      )
    })
  })
}

describe('iterateEdge', () => {
  it('yields the whole list, whatever the page size', async () => {
    await fc.assert(
      fc.asyncProperty(lists, listOptions, async (list, options) => {
        const { graph, session, owner } = await openList(list)
        const ids: unknown[] = []
        for await (const entry of graph.iterateEdge(session, { id: owner, edge: 'likes', ...options }))
          ids.push(entry.id)
        expect(ids).toEqual(readWholeList(list, options))
      }),
      propertySettings(50),
    )
  })
})
