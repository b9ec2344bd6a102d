import fc from 'fast-check'
import type { ReadEvent } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import type { PassSizes } from '../../src/execute/pass-size.ts'
import { PASS_SIZES } from '../../src/execute/pass-size.ts'
import { MISSING_ID } from '../helpers/graph-arbitraries.ts'
import { openWorld } from '../helpers/open-world.ts'
import { manners, type Probe, transcriptOf } from '../helpers/probes.ts'
import { inquiries } from '../helpers/query-arbitraries.ts'
import { drawing, replaceSeams, sizedPasses } from '../helpers/scan-seams.ts'
import { asked } from './edge-lists.ts'
import { openPolicedList, pagesOf, policedLists, walk, ways } from './policed-lists.ts'
import { settings } from './settings.ts'

const FORCED = [1, 7, 10_000].map(sizedPasses)

/** What each call examined; nothing of one that failed, which ends with the pass that was too much. */
const examinedIn = (events: readonly ReadEvent[]) =>
  events.flatMap(event =>
    event.kind === 'query' ? [event.fault === 'too_costly' ? 'too much' : event.examined] : [],
  )

/** Limits that some calls exceed, and none. */
const limits = fc.constantFrom({}, { scan: 1 }, { scan: 1 }, { scan: 2 }, { scan: 12 })

describe('passes of 1, 7 and 10,000 edges', () => {
  it('give the same pages of one long list, and examine the same', async () => {
    let examined = 0
    await fc.assert(
      fc.asyncProperty(policedLists, asked, ways, fc.boolean(), async (list, asked, way, summary) => {
        const read = async (passSizes: PassSizes) => {
          const events: ReadEvent[] = []
          const opened = await openPolicedList(list, { summary, onRead: event => void events.push(event) })
          replaceSeams(opened.graph, { passSizes })
          const pages = await pagesOf(walk(opened, way, asked, {}))
          return { text: JSON.stringify(pages), examined: examinedIn(events) }
        }
        const expected = await read(PASS_SIZES)
        for (const sizes of FORCED) expect(await read(sizes)).toEqual(expected)
        if (expected.examined.some(edges => edges.length > 0)) examined++
      }),
      settings(100),
    )
    expect(examined).toBeGreaterThan(50)
  })

  it('give the same answer to every call, under every limit, and examine the same', async () => {
    const seen = { examined: 0, failed: 0 }
    const cases = fc.record({
      inquiry: inquiries({ policed: true, most: 4 }),
      manners: fc.array(manners, { minLength: 4, maxLength: 4 }),
      limits,
    })
    await fc.assert(
      fc.asyncProperty(cases, async ({ inquiry: { world, asked }, manners, limits }) => {
        const probes = asked.flatMap((question, index): Probe[] => {
          const manner = manners[index]
          return manner === undefined ? [] : [{ question, manner }]
        })
        const ids = [...world.nodes.map(({ id }) => id), MISSING_ID]
        const read = async (passSizes: PassSizes) => {
          const events: ReadEvent[] = []
          const onRead = (event: ReadEvent) => void events.push(event)
          const opened = await openWorld(world, { limits, onRead, secret: 'the secret of the tests' })
          replaceSeams(opened.graph, { passSizes, drawUniform: drawing(0.5) })
          const texts: (readonly string[])[] = []
          for (const probe of probes) texts.push(await transcriptOf(opened, probe, { ids }))
          return { texts, examined: examinedIn(events) }
        }
        const expected = await read(PASS_SIZES)
        for (const sizes of FORCED) expect(await read(sizes)).toEqual(expected)
        for (const edges of expected.examined) {
          if (edges === 'too much') seen.failed++
          else if (edges.length > 0) seen.examined++
        }
      }),
      settings(100),
    )
    expect(Math.min(seen.examined, seen.failed)).toBeGreaterThan(2)
  })
})
