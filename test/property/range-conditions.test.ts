import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/contract.ts'
import type { ConditionsBehaviour } from '../../src/testing/apply-conditions.ts'
import { callGraph, captureOutcome } from '../helpers/call-graph.ts'
import { missingIdOf } from '../helpers/id-kinds.ts'
import type { World } from '../helpers/naive-graph/world.ts'
import { type OpenWorldOptions, openWorld } from '../helpers/open-world.ts'
import { callVariants, type Probe, recordTranscript } from '../helpers/probes.ts'
import {
  countConditionalRanges,
  createPushingStore,
  examineFewRows,
  type PushingStore,
} from '../helpers/pushing-store.ts'
import { worldsWithCalls } from '../helpers/query-arbitraries.ts'
import { readyMadeWorlds } from '../helpers/ready-made-worlds.ts'
import { assertReaching, propertySettings } from './property-settings.ts'

const limits = { cost: 1_000_000_000 }

const cases = fc.record({
  worldWithCalls: fc.oneof(
    { weight: 3, arbitrary: worldsWithCalls({ from: readyMadeWorlds(), most: 4 }) },
    worldsWithCalls({ hasPolicies: true, most: 4 }),
  ),
  variants: fc.array(callVariants, { minLength: 4, maxLength: 4 }),
  seed: fc.nat(),
  counts: fc.boolean(),
})

type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never

/** Opens a world over a store that applies conditions. */
const openPushing = async (world: World, options: OpenWorldOptions, behaviour?: ConditionsBehaviour) => {
  let pushing: PushingStore | undefined
  const wrap = (store: Store): Store => {
    pushing = createPushingStore(store, behaviour)
    return pushing
  }
  const opened = await openWorld(world, { ...options, wrap })
  if (pushing === undefined) throw new Error('the store was not wrapped')
  return { ...opened, pushing }
}

const probesOf = ({ worldWithCalls: { calls }, variants }: Case): readonly Probe[] =>
  calls.flatMap((callSpec, index): Probe[] => {
    const variant = variants[index]
    return variant === undefined ? [] : [{ callSpec, variant }]
  })

/** Reads a page of each list of each node, with its count and with the lists below its entries. */
const readAllLists = async (
  { graph, session }: Awaited<ReturnType<typeof openWorld>>,
  { schema, nodes }: World,
): Promise<readonly string[]> => {
  const texts: string[] = []
  for (const { id, type } of nodes)
    for (const edge of Object.keys(schema.types[type]?.edges ?? {})) {
      const call = { id, edge, limit: 2, summary: true, fields: 'id,likes.limit(1){id}' }
      texts.push(JSON.stringify(await captureOutcome(() => graph.getEdge(session, call))))
    }
  return texts
}

const readAll = async (opened: Awaited<ReturnType<typeof openWorld>>, one: Case) => {
  const ids = [...one.worldWithCalls.world.nodes.map(({ id }) => id), missingIdOf(one.worldWithCalls.world)]
  const texts: (readonly string[])[] = []
  for (const probe of probesOf(one)) texts.push(await recordTranscript(opened, probe, { ids }))
  return [...texts, await readAllLists(opened, one.worldWithCalls.world)]
}

describe('conditions of ranges', () => {
  it('change no byte of any result or error', async () => {
    let conditionalCount = 0
    let runCount = 0
    await assertReaching(
      fc.asyncProperty(cases, async one => {
        const { world } = one.worldWithCalls
        const plain = await openWorld(world, { limits })
        const { pushing, ...opened } = await openPushing(world, { limits }, { counts: one.counts })
        expect(await readAll(opened, one)).toEqual(await readAll(plain, one))
        runCount++
        if (countConditionalRanges(pushing) > 0) conditionalCount++
      }),
      propertySettings(30, 3000),
      () => conditionalCount > runCount / 6,
    )
  })

  it('have the same results however many rows the store examines at once', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async one => {
        const { world } = one.worldWithCalls
        const plain = await openWorld(world, { limits })
        const chooseExamined = examineFewRows(one.seed)
        const divided = await openPushing(world, { limits }, { chooseExamined, counts: one.counts })
        expect(await readAll(divided, one)).toEqual(await readAll(plain, one))
      }),
      propertySettings(20, 2000),
    )
  })

  it('are never sent for a session that bypasses policies', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async one => {
        const { world, calls } = one.worldWithCalls
        const { graph, pushing, session } = await openPushing(world, { limits })
        const { viewer, app, scopes } = session
        const bypassing = graph.session({ viewer, app, scopes, bypassPolicies: true })
        for (const callSpec of calls) await captureOutcome(() => callGraph(graph, bypassing, callSpec))
        expect(countConditionalRanges(pushing)).toBe(0)
      }),
      propertySettings(10),
    )
  })
})
