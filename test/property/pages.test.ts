import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callOf } from '../helpers/links.ts'
import { asked, idsOf, lists, OWNER, openList, type Page, pagesFrom, WAYS, wholeOf } from './edge-lists.ts'
import { settings } from './settings.ts'

for (const way of WAYS) {
  describe(`the pages of a list, asked for by way of ${way}`, () => {
    it('joined are the whole list, and all but the last are full', async () => {
      await fc.assert(
        fc.asyncProperty(lists, asked, async (list, asked) => {
          const { ways } = await openList(list)
          const pages: Page[] = []
          for await (const page of pagesFrom(where => ways[way](asked, where))) pages.push(page)
          expect(pages.flatMap(idsOf)).toEqual(wholeOf(list, asked))
          const sizes = pages.slice(0, -1).map(({ data }) => data.length)
          expect(sizes).toEqual(sizes.map(() => asked.limit))
          expect(pages.slice(1).every(({ data }) => data.length > 0)).toBe(true)
        }),
        settings(100),
      )
    })

    it('lead back in the same order by their first cursors, and end where the list begins', async () => {
      await fc.assert(
        fc.asyncProperty(lists, asked, async (list, asked) => {
          const { ways } = await openList(list)
          const whole = wholeOf(list, asked)
          let page = await ways[way]({ ...asked, limit: 100 }, {})
          const last = page.paging?.cursors.after
          if (last === undefined) return
          // From the last entry backwards: all that is in front of it.
          const walked: string[][] = []
          let before: string | undefined = last
          while (before !== undefined) {
            page = await ways[way](asked, { before })
            walked.unshift([...idsOf(page)])
            expect(page.data.length === 0 || page.paging?.next !== undefined).toBe(true)
            before = page.paging?.previous && page.paging.cursors.before
          }
          expect(walked.flat()).toEqual(whole.slice(0, -1))
          expect(walked.slice(1).every(({ length }) => length === asked.limit)).toBe(true)
        }),
        settings(100),
      )
    })

    it('are the same by their links as by their cursors, forwards and backwards', async () => {
      await fc.assert(
        fc.asyncProperty(lists, asked, async (list, asked) => {
          const { graph, session, ways } = await openList(list)
          const linked = async (link: string): Promise<Page> => graph.getEdge(session, callOf(link))
          for await (const { paging } of pagesFrom(where => ways[way](asked, where))) {
            const { next, previous } = paging ?? {}
            if (paging === undefined) continue
            if (next !== undefined) {
              expect(await linked(next)).toEqual(await ways[way](asked, { after: paging.cursors.after }))
            }
            if (previous !== undefined) {
              expect(await linked(previous)).toEqual(
                await ways[way](asked, { before: paging.cursors.before }),
              )
            }
          }
        }),
        settings(50),
      )
    })
  })
}

describe('iterateEdge', () => {
  it('answers the whole list, whatever the size of its pages', async () => {
    await fc.assert(
      fc.asyncProperty(lists, asked, async (list, asked) => {
        const { graph, session } = await openList(list)
        const ids: unknown[] = []
        for await (const entry of graph.iterateEdge(session, { id: OWNER, edge: 'likes', ...asked }))
          ids.push(entry.id)
        expect(ids).toEqual(wholeOf(list, asked))
      }),
      settings(50),
    )
  })
})
