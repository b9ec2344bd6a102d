import fc from 'fast-check'
import type { GraphEvent } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import type { PassSizes } from '../../src/read/pass-size.ts'
import { DEFAULT_PASS_SIZES } from '../../src/read/pass-size.ts'
import { missingIdOf } from '../helpers/id-kinds.ts'
import { openWorld } from '../helpers/open-world.ts'
import { callVariants, type Probe, recordTranscript } from '../helpers/probes.ts'
import { worldsWithCalls } from '../helpers/query-arbitraries.ts'
import { createFixedPassSizes, drawInTurn, overrideScan } from '../helpers/scan-overrides.ts'
import { policyListOptions, policyLists } from './policy-entries.ts'
import { collectPages, openPolicyList, walkPages, ways } from './policy-lists.ts'
import { assertReaching, propertySettings } from './property-settings.ts'

const FORCED_PASS_SIZES = [1, 7, 10_000].map(createFixedPassSizes)

/**
 * Returns the number of edges that each call examined. For a call that exceeds its limit, returns only `too
 * much`, because the number depends on the size of its last pass.
 */
const countExaminedIn = (events: readonly GraphEvent[]) =>
  events.flatMap(event =>
    event.kind === 'query' ? [event.reason === 'query_too_expensive' ? 'too much' : event.examined] : [],
  )

/** Scan limits that some calls exceed, and no limit. */
const limits = fc.constantFrom({}, { scan: 1 }, { scan: 1 }, { scan: 2 }, { scan: 12 })

describe('reads of filtered lists in passes of 1, 7 and 10,000 edges', () => {
  it('give the same pages of one long list, and examine the same number of edges', async () => {
    let examined = 0
    await assertReaching(
      fc.asyncProperty(
        policyLists,
        policyListOptions,
        ways,
        fc.boolean(),
        async (list, listCall, way, summary) => {
          const read = async (passSizes: PassSizes) => {
            const events: GraphEvent[] = []
            const opened = await openPolicyList(list, { summary, onEvent: event => void events.push(event) })
            overrideScan(opened.graph, { passSizes })
            const pages = await collectPages(walkPages(opened, way, listCall, {}))
            return { text: JSON.stringify(pages), examined: countExaminedIn(events) }
          }
          const expected = await read(DEFAULT_PASS_SIZES)
          for (const sizes of FORCED_PASS_SIZES) expect(await read(sizes)).toEqual(expected)
          if (expected.examined.some(edges => edges.length > 0)) examined++
        },
      ),
      propertySettings(100),
      () => examined > 50,
    )
  })

  it('give the same result for every call and limit, and examine the same number of edges', async () => {
    const seen = { examined: 0, failed: 0 }
    const cases = fc.record({
      worldWithCalls: worldsWithCalls({ hasPolicies: true, most: 4 }),
      variants: fc.array(callVariants, { minLength: 4, maxLength: 4 }),
      limits,
    })
    await assertReaching(
      fc.asyncProperty(cases, async ({ worldWithCalls: { world, calls }, variants, limits }) => {
        const probes = calls.flatMap((callSpec, index): Probe[] => {
          const variant = variants[index]
          return variant === undefined ? [] : [{ callSpec, variant }]
        })
        const ids = [...world.nodes.map(({ id }) => id), missingIdOf(world)]
        const read = async (passSizes: PassSizes) => {
          const events: GraphEvent[] = []
          const onEvent = (event: GraphEvent) => void events.push(event)
          const opened = await openWorld(world, { limits, onEvent, secret: 'the secret of the tests' })
          overrideScan(opened.graph, { passSizes, drawUniform: drawInTurn(0.5) })
          const texts: (readonly string[])[] = []
          for (const probe of probes) texts.push(await recordTranscript(opened, probe, { ids }))
          return { texts, examined: countExaminedIn(events) }
        }
        const expected = await read(DEFAULT_PASS_SIZES)
        for (const sizes of FORCED_PASS_SIZES) expect(await read(sizes)).toEqual(expected)
        for (const edges of expected.examined) {
          if (edges === 'too much') seen.failed++
          else if (edges.length > 0) seen.examined++
        }
      }),
      propertySettings(100),
      () => Math.min(seen.examined, seen.failed) > 2,
    )
  })
})
