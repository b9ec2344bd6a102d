import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAppIdOptions } from '../helpers/app-id-options.ts'
import { captureOutcome } from '../helpers/call-graph.ts'
import { missingIdOf } from '../helpers/id-kinds.ts'
import { inheritingWorlds } from '../helpers/inheriting-worlds.ts'
import { lookalikeCases, withoutPolicies } from '../helpers/lookalike-cases.ts'
import { filterWorld } from '../helpers/naive-graph/visible-world.ts'
import type { World } from '../helpers/naive-graph/world.ts'
import { type OpenWorldOptions, openWorld } from '../helpers/open-world.ts'
import { type Caller, captureText, type Probe, recordTranscript, runProbe } from '../helpers/probes.ts'
import { worldsWithCalls } from '../helpers/query-arbitraries.ts'
import { compareWithNaive } from './naive-comparison.ts'
import { propertySettings } from './property-settings.ts'

const openAllWorld = (world: World): World => ({ ...world, schema: withoutPolicies(world.schema) })

/** Opens a graph of a world with two sessions of its viewer. One of them skips policies. */
const openBoth = async (world: World, options: OpenWorldOptions = {}) => {
  const { graph, session } = await openWorld(world, options)
  const { viewer, app, scopes } = session
  const bypass = graph.session({ viewer, app, scopes, bypassPolicies: true })
  return { plain: { graph, session }, bypass: { graph, session: bypass } }
}

const openBypass = async (world: World, options: OpenWorldOptions) => (await openBoth(world, options)).bypass

/** Removes the cursors and links of a result. */
const withoutPaging = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutPaging)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => name !== 'paging')
  return Object.fromEntries(members.map(([name, member]) => [name, withoutPaging(member)]))
}

const idsIn = (world: World): readonly string[] => [...world.nodes.map(({ id }) => id), missingIdOf(world)]

describe('a session that bypasses policies', () => {
  const openness = (world: World) => ({ visible: filterWorld(openAllWorld(world)), opener: openBypass })

  it('has the same results as the naive graph without policies, at the cost of the policies', async () => {
    await fc.assert(
      fc.asyncProperty(
        worldsWithCalls({ hasPolicies: true, hasErrors: true }),
        fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined }),
        fc.boolean(),
        ({ world, calls }, cost, scoped) =>
          compareWithNaive(world, calls, { cost, ...(scoped && createAppIdOptions()), ...openness(world) }),
      ),
      propertySettings(60, 2000),
    )
  })

  it('has the same results as a graph without policies in every method, apart from cursors', async () => {
    await fc.assert(
      fc.asyncProperty(lookalikeCases(false), async ({ world, probes, consistency }) => {
        const options = { limits: { cost: 1_000_000_000 }, consistency }
        const bypass = await openBypass(world, options)
        const open = await openWorld(openAllWorld(world), options)
        const read = async (caller: Caller, probe: Probe) =>
          withoutPaging(await captureOutcome(() => runProbe(caller, probe, idsIn(world), undefined)))
        for (const probe of probes) expect(await read(bypass, probe)).toEqual(await read(open, probe))
      }),
      propertySettings(60, 2000),
    )
  })

  it('differs from a session that does not, which the comparison detects', async () => {
    const { failed } = await fc.check(
      fc.asyncProperty(worldsWithCalls({ hasPolicies: true }), ({ world, calls }) =>
        compareWithNaive(world, calls, { visible: filterWorld(openAllWorld(world)) }),
      ),
      { ...propertySettings(3000), endOnFailure: true },
    )
    expect(failed).toBe(true)
  })
})

const generalOrInheriting = (hasErrors: boolean) =>
  fc.oneof(lookalikeCases(hasErrors), lookalikeCases(hasErrors, undefined, inheritingWorlds))

describe('two sessions of one graph, one of which bypasses policies', () => {
  it('do not change each other’s results by any byte', async () => {
    await fc.assert(
      fc.asyncProperty(generalOrInheriting(true), fc.boolean(), async (one, startsWithBypass) => {
        const { world, probes, consistency, cost } = one
        const options = { limits: { cost }, consistency }
        const [shared, plainAlone, bypassAlone] = await Promise.all([
          openBoth(world, options),
          openBoth(world, options),
          openBoth(world, options),
        ])
        const record = (caller: Caller, probe: Probe) =>
          recordTranscript(caller, probe, { ids: idsIn(world) })
        for (const probe of probes) {
          const callers = [shared.plain, shared.bypass]
          const order = startsWithBypass ? callers.toReversed() : callers
          const texts = await Promise.all(order.map(caller => record(caller, probe)))
          const [plain, bypass] = startsWithBypass ? texts.toReversed() : texts
          expect(plain).toEqual(await record(plainAlone.plain, probe))
          expect(bypass).toEqual(await record(bypassAlone.bypass, probe))
        }
      }),
      propertySettings(50, 5000),
    )
  })

  it('reject each other’s cursors', async () => {
    await fc.assert(
      fc.asyncProperty(generalOrInheriting(false), fc.boolean(), async ({ world, probes }, scoped) => {
        const { plain, bypass } = await openBoth(world, scoped ? createAppIdOptions() : {})
        for (const { callSpec } of probes) {
          if (callSpec.method !== 'getEdge') continue
          const { id, edge, order, parameters } = callSpec
          const readFrom = ({ graph, session }: Caller, after?: string) =>
            captureText(async () => graph.getEdge(session, { id, edge, order, parameters, limit: 1, after }))
          const cursorOf = async (caller: Caller): Promise<string | undefined> =>
            Object(Object(await readFrom(caller)).result).paging?.cursors.after
          for (const [own, other] of [
            [plain, bypass],
            [bypass, plain],
          ] as const) {
            const cursor = await cursorOf(own)
            if (cursor === undefined) continue
            expect((await readFrom(own, cursor)).result).toBeDefined()
            expect((await readFrom(other, cursor)).result).toBeUndefined()
          }
        }
      }),
      propertySettings(60, 5000),
    )
  })
})
