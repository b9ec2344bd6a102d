import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MISSING_ID } from '../helpers/graph-arbitraries.ts'
import { callOf, linksIn } from '../helpers/links.ts'
import { type Case, cases, cursorOf, open } from '../helpers/lookalike-cases.ts'
import type { World } from '../helpers/naive-graph/world.ts'
import { type OpenOptions, openWorld } from '../helpers/open-world.ts'
import { asked, type Prober, textOf, withIds } from '../helpers/probes.ts'
import { nameIn, scopedOptions } from '../helpers/public-ids.ts'
import { eachExaminedBy, replaceSeams } from '../helpers/scan-seams.ts'
import { settings } from './settings.ts'

/** Ten thousand pairs take a quarter of an hour where the machine is busy. */
const PATIENCE = process.env.KITHGRAPH_LONG ? 3_600_000 : undefined

type Call = (prober: Prober) => Promise<unknown>

/** What a call comes to: as text, and how many edges it examined, by page if it is a walk. */
type Outcome = { readonly text: string; readonly answer: unknown; readonly examined: readonly number[] }

const outcomeOf = async (prober: Prober, call: Call): Promise<Outcome> => {
  const { result, examined } = await eachExaminedBy(() => textOf(() => call(prober)))
  return { ...result, examined }
}

const hasFailed = ({ text }: Outcome): boolean => text.includes('"reason":"too_costly"')

type Page = { readonly data: readonly unknown[]; readonly paging: { readonly cursors: object } }

/** Whether an answer is a page that ends at the limit: no other has a sealed cursor of its own. */
const isCut = (answer: unknown): answer is Page =>
  typeof answer === 'object' &&
  answer !== null &&
  Object.values(Object(answer).paging?.cursors ?? {}).some(cursor => `${cursor}`.includes('.'))

/** One world, without a limit and under one that is set for each call. */
type Two = { readonly rich: Prober; readonly poor: Prober; readonly limitTo: (drawn: number) => void }

const KINDS = ['same', 'failed', 'cut'] as const
type Kind = (typeof KINDS)[number]

/**
 * What became of a call under a limit, which is the same as without if it examines no more edges than were drawn. Else it
 * fails, or it is a page that ends after exactly so many edges.
 */
const held = async ({ poor, limitTo }: Two, call: Call, free: Outcome, drawn: number): Promise<Kind> => {
  limitTo(drawn)
  const outcome = await outcomeOf(poor, call)
  if (free.examined.every(edges => edges <= drawn)) {
    expect(outcome.text).toBe(free.text)
    return 'same'
  }
  if (hasFailed(outcome)) return 'failed'
  // The pages of a walk may have been cut, and still join to the same.
  if (outcome.text === free.text) {
    expect(Array.isArray(outcome.answer)).toBe(true)
    return 'cut'
  }
  if (!isCut(outcome.answer)) throw new Error(`neither cut nor failed: ${outcome.text}`)
  expect(outcome.examined).toEqual([drawn])
  const { data } = outcome.answer
  const whole: readonly unknown[] = Object(free.answer).data
  const parts = [whole.slice(0, data.length), whole.slice(whole.length - data.length)]
  expect(parts).toContainEqual(data)
  return 'cut'
}

/** Numbers around what a call examines in each of the worlds, and the smallest. */
const limitsAround = (totals: readonly number[]): readonly number[] => {
  const [least, most] = [Math.min(...totals), Math.max(...totals)]
  return [...new Set([1, least, most - 1, most])].filter(drawn => drawn >= 1)
}

type Tally = Map<string, number>

const compareCall = async (one: Two, two: Two, call: Call, seen: Tally): Promise<void> => {
  const free = await outcomeOf(one.rich, call)
  const otherFree = await outcomeOf(two.rich, call)
  expect(otherFree.text).toBe(free.text)
  const totals = [free, otherFree].map(({ examined }) => Math.max(0, ...examined))
  for (const drawn of limitsAround(totals)) {
    const kinds = [await held(one, call, free, drawn), await held(two, call, otherFree, drawn)]
    const [kind = '', otherKind = ''] = kinds
    // They differ only if the drawn limit is between the totals of the two worlds.
    if (kind !== otherKind) expect(kinds).toContain('same')
    const name = kind === otherKind ? kind : 'different'
    seen.set(name, (seen.get(name) ?? 0) + 1)
  }
}

const openTwo = async (world: World, options: OpenOptions): Promise<Two> => {
  const rich = await openWorld(world, options)
  const poor = await openWorld(world, { ...options, limits: { scan: 1 } })
  // The drawn limit is one more than the mean of the two numbers, which need not be below 1 here.
  const limitTo = (drawn: number) => replaceSeams(poor.graph, { drawUniform: () => drawn - 1 })
  return { rich, poor, limitTo }
}

/** What becomes of each call in both worlds. */
const compare = async ({ world, other, probes, scoped, consistency }: Case, seen: Tally): Promise<void> => {
  const { appIds, secret } = scopedOptions()
  const options = { consistency, secret, ...(scoped && { appIds }) }
  const [one, two] = [await openTwo(world, options), await openTwo(other, options)]
  const insider = await openWorld({ ...other, schema: open(other.schema) }, options)
  const all = [...new Set([...world.nodes, ...other.nodes].map(({ id }) => id)), MISSING_ID]
  const app = appIds.forApp('tests')
  const named = nameIn([world, other], id => (scoped ? app.toPublic(id) : id))
  for (const { question, manner } of probes) {
    const probe = { question: withIds(question, named), manner }
    const cursor = await cursorOf(insider, probe)
    const first: Call = prober => asked(prober, probe, all.map(named), cursor)
    await compareCall(one, two, first, seen)
    const links = linksIn((await textOf(() => first(one.rich))).answer).slice(0, 2)
    for (const link of links)
      await compareCall(one, two, ({ graph, session }) => graph.getEdge(session, callOf(link)), seen)
  }
}

describe('whatever changes among what a viewer may not see, under a limit that some calls exceed', () => {
  it(
    'every call has the same result or fails, and which of both is decided by what it examines alone',
    async () => {
      const seen = new Map<string, number>()
      await fc.assert(
        fc.asyncProperty(cases(false), one => compare(one, seen)),
        settings(200, 10_000),
      )
      console.info(`calls in pairs of worlds: ${JSON.stringify(Object.fromEntries(seen))}`)
      for (const kind of [...KINDS, 'different']) expect(seen.get(kind), kind).toBeGreaterThan(0)
    },
    PATIENCE,
  )
})
