import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAppIdOptions, createIdMapper } from '../helpers/app-id-options.ts'
import { missingIdOf } from '../helpers/id-kinds.ts'
import { findLinks, parseLink } from '../helpers/links.ts'
import {
  type LookalikeCase,
  lookalikeCases,
  readFirstCursor,
  withoutPolicies,
} from '../helpers/lookalike-cases.ts'
import type { World } from '../helpers/naive-graph/world.ts'
import { type OpenWorldOptions, openWorld } from '../helpers/open-world.ts'
import { type Caller, captureText, runProbe, withIds } from '../helpers/probes.ts'
import { filterAndReadAhead, filterByConditions } from '../helpers/read-ahead-store.ts'
import { readyMadeWorlds } from '../helpers/ready-made-worlds.ts'
import { countExaminedPerCall, overrideScan } from '../helpers/scan-overrides.ts'
import { assertReaching, propertySettings } from './property-settings.ts'

/** On a busy machine, ten thousand pairs take a quarter of an hour. */
const TEST_TIMEOUT_MS = process.env.KITHGRAPH_LONG ? 3_600_000 : undefined

type Call = (caller: Caller) => Promise<unknown>

/**
 * The outcome of a call as text, and the number of edges that it examined. `iterateEdge` has one number for
 * each page.
 */
type MeasuredOutcome = {
  readonly text: string
  readonly result: unknown
  readonly examined: readonly number[]
  /** How much an edge counts against the limit. */
  readonly weight: number
}

const measureCall = async (caller: Caller, call: Call): Promise<MeasuredOutcome> => {
  const { result, examined, weight } = await countExaminedPerCall(() => captureText(() => call(caller)))
  return { ...result, examined, weight }
}

const hasFailed = ({ text }: MeasuredOutcome): boolean => text.includes('"reason":"query_too_expensive"')

type Page = { readonly data: readonly unknown[]; readonly paging: { readonly cursors: object } }

/** Whether a result is a page that ends at the limit: only such a page has an encrypted cursor. */
const hasCutPage = (result: unknown): result is Page =>
  typeof result === 'object' &&
  result !== null &&
  Object.values(Object(result).paging?.cursors ?? {}).some(cursor => `${cursor}`.includes('.'))

/** Two graphs of one world: one without a scan limit, and one with a limit that is set for each call. */
type WorldPair = {
  readonly unlimited: Caller
  readonly limited: Caller
  readonly limitTo: (drawn: number) => void
}

const KINDS = ['same', 'failed', 'cut'] as const
type Kind = (typeof KINDS)[number]

/**
 * Runs a call under a drawn limit. If it examines no more edges than the limit, expects the same result as
 * without a limit. Otherwise, expects an error or a page that ends after exactly that many edges, or as many as
 * fit under `canSee`.
 */
const compareUnderLimit = async (
  { limited, limitTo }: WorldPair,
  call: Call,
  free: MeasuredOutcome,
  drawn: number,
): Promise<Kind> => {
  limitTo(drawn)
  const outcome = await measureCall(limited, call)
  if (free.examined.every(edges => edges <= drawn)) {
    expect(outcome.text).toBe(free.text)
    return 'same'
  }
  if (hasFailed(outcome)) return 'failed'
  // The pages of `iterateEdge` may end at the limit, but together they have the same entries. A page of a list with
  // encrypted cursors that ends after its last entry is the same page too.
  if (outcome.text === free.text) {
    expect(Array.isArray(outcome.result) || hasCutPage(outcome.result)).toBe(true)
    return 'cut'
  }
  if (!hasCutPage(outcome.result)) throw new Error(`neither cut nor failed: ${outcome.text}`)
  expect(outcome.examined).toEqual([drawn - (drawn % outcome.weight)])
  const { data } = outcome.result
  const whole: readonly unknown[] = Object(free.result).data
  const parts = [whole.slice(0, data.length), whole.slice(whole.length - data.length)]
  expect(parts).toContainEqual(data)
  return 'cut'
}

/**
 * Returns the drawn limits to test: the weight of one edge, and limits close to the numbers of edges that a call
 * examines in the two worlds.
 */
const chooseLimits = (totals: readonly number[], weight: number): readonly number[] => {
  const [smallest, largest] = [Math.min(...totals), Math.max(...totals)]
  // Under conditions, the numbers of edges may be fractions.
  const limits = [weight, smallest, largest - 1, largest].map(Math.ceil)
  return [...new Set(limits)].filter(drawn => drawn >= 1)
}

type Tally = Map<string, number>

const compareCall = async (one: WorldPair, two: WorldPair, call: Call, seen: Tally): Promise<void> => {
  const free = await measureCall(one.unlimited, call)
  const otherFree = await measureCall(two.unlimited, call)
  expect(otherFree.text).toBe(free.text)
  const totals = [free, otherFree].map(({ examined }) => Math.max(0, ...examined))
  for (const drawn of chooseLimits(totals, free.weight)) {
    const kinds = [
      await compareUnderLimit(one, call, free, drawn),
      await compareUnderLimit(two, call, otherFree, drawn),
    ]
    const [kind = '', otherKind = ''] = kinds
    // The outcomes differ only if the drawn limit is between the totals of the two worlds.
    if (kind !== otherKind) expect(kinds).toContain('same')
    const name = kind === otherKind ? kind : 'different'
    seen.set(name, (seen.get(name) ?? 0) + 1)
  }
}

const openWorldPair = async (world: World, options: OpenWorldOptions): Promise<WorldPair> => {
  const unlimited = await openWorld(world, options)
  const limited = await openWorld(world, { ...options, limits: { scan: 1 } })
  // With `scan: 1`, the drawn limit is 1 + `drawUniform()`. Here, `drawUniform` may return more than 1.
  const limitTo = (drawn: number) => overrideScan(limited.graph, { drawUniform: () => drawn - 1 })
  return { unlimited, limited, limitTo }
}

/** Compares the outcomes of each call in both worlds. */
const compare = async (
  { world, other, probes, scoped, consistency }: LookalikeCase,
  seen: Tally,
  wrap?: OpenWorldOptions['wrap'],
): Promise<void> => {
  const { appIds, secret } = createAppIdOptions()
  const options = { consistency, secret, wrap, ...(scoped && { appIds }) }
  const [one, two] = [await openWorldPair(world, options), await openWorldPair(other, options)]
  const insider = await openWorld({ ...other, schema: withoutPolicies(other.schema) }, options)
  const all = [...new Set([...world.nodes, ...other.nodes].map(({ id }) => id)), missingIdOf(world)]
  const app = appIds.forApp('tests')
  const mapId = createIdMapper([world, other], id => (scoped ? app.toPublic(id) : id))
  for (const { callSpec, variant } of probes) {
    const probe = { callSpec: withIds(callSpec, mapId), variant }
    const cursor = await readFirstCursor(insider, probe)
    const first: Call = caller => runProbe(caller, probe, all.map(mapId), cursor)
    await compareCall(one, two, first, seen)
    const links = findLinks((await captureText(() => first(one.unlimited))).result).slice(0, 2)
    for (const link of links)
      await compareCall(one, two, ({ graph, session }) => graph.getEdge(session, parseLink(link)), seen)
  }
}

describe('a change of hidden data, under a scan limit that some calls exceed', () => {
  it(
    'changes no result, except that a call near the limit may fail or end early',
    async () => {
      const seen = new Map<string, number>()
      await assertReaching(
        fc.asyncProperty(lookalikeCases(false), one => compare(one, seen)),
        propertySettings(70, 10_000),
        () => [...KINDS, 'different'].every(kind => seen.has(kind)),
      )
      console.info(`calls in pairs of worlds: ${JSON.stringify(Object.fromEntries(seen))}`)
    },
    TEST_TIMEOUT_MS,
  )

  it(
    'changes no result if the store filters lists by conditions, or also reads ahead, with the same exception',
    async () => {
      const seen = new Map<string, number>()
      const cases = lookalikeCases(false, undefined, readyMadeWorlds())
      await assertReaching(
        fc.asyncProperty(cases, fc.constantFrom(filterByConditions, filterAndReadAhead), (one, wrap) =>
          compare(one, seen, wrap),
        ),
        propertySettings(40, 10_000),
        () => seen.has('same'),
      )
    },
    TEST_TIMEOUT_MS,
  )
})
