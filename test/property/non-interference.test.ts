import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { outcomeOf } from '../helpers/ask.ts'
import { entryOf } from '../helpers/entry-of.ts'
import { MISSING_ID } from '../helpers/graph-arbitraries.ts'
import { type Case, cases, cursorOf, open } from '../helpers/lookalike-cases.ts'
import { printItems } from '../helpers/naive-graph/query.ts'
import type { SchemaSpec, World } from '../helpers/naive-graph/world.ts'
import { type OpenOptions, openWorld } from '../helpers/open-world.ts'
import { type Probe, type Prober, transcriptOf, withIds } from '../helpers/probes.ts'
import { nameIn, scopedOptions } from '../helpers/public-ids.ts'
import { mapValues } from '../helpers/schema-arbitraries.ts'
import { settings } from './settings.ts'

/** What a handler answers of single entries of the edge that a question is about: each as text, or the reason that it fails. */
const entriesOf = async (
  prober: Prober,
  { question, manner: { as, debug, partial } }: Probe,
  ids: readonly string[],
): Promise<readonly string[]> => {
  if (question.method !== 'getEdge' || as !== 'hasEdge') return []
  const { id, edge, fields: items, style } = question
  const fields = items.length === 0 ? undefined : printItems(items, style)
  const entries = ids.map(target =>
    outcomeOf(() => entryOf(prober, { id, edge, target, fields, debug, partial })),
  )
  return (await Promise.all(entries)).map(entry => JSON.stringify(entry))
}

type Opening = (world: World, options: OpenOptions) => Promise<Prober>

/** What the viewer gets to know of each of two worlds, question by question. */
const transcripts = async ({ world, other, probes, scoped, consistency, cost }: Case, opening: Opening) => {
  const ids = scoped ? scopedOptions() : undefined
  const options = { limits: { cost }, consistency, ...ids }
  const one = await opening(world, options)
  const two = await opening(other, options)
  const insider = await openWorld({ ...other, schema: open(other.schema) }, options)
  const all = [...new Set([...world.nodes, ...other.nodes].map(({ id }) => id)), MISSING_ID]
  const app = ids?.appIds.forApp('tests')
  const named = nameIn([world, other], id => app?.toPublic(id) ?? id)
  const pairs: (readonly [readonly string[], readonly string[]])[] = []
  for (const { question, manner } of probes) {
    const probe = { question: withIds(question, named), manner }
    const context = { ids: all.map(named), cursor: await cursorOf(insider, probe) }
    const transcript = async (prober: Prober): Promise<readonly string[]> => [
      ...(await transcriptOf(prober, probe, context)),
      ...(await entriesOf(prober, probe, context.ids)),
    ]
    pairs.push([await transcript(one), await transcript(two)])
  }
  return pairs
}

const compare = async (one: Case, opening: Opening = openWorld): Promise<void> => {
  for (const [world, other] of await transcripts(one, opening)) expect(other).toEqual(world)
}

describe('whatever changes among what a viewer may not see', () => {
  it('every answer stays as it was, to the byte', async () => {
    await fc.assert(
      fc.asyncProperty(cases(false), one => compare(one)),
      settings(200, 10_000),
    )
  })

  it('every fault stays as it was, to the byte', async () => {
    await fc.assert(
      fc.asyncProperty(cases(true), one => compare(one)),
      settings(100, 5000),
    )
  })
})

describe('the comparison finds what leaks', () => {
  const withTypes = (
    world: World,
    make: (type: SchemaSpec['types'][string]) => SchemaSpec['types'][string],
  ): World => ({
    ...world,
    schema: { ...world.schema, types: mapValues(world.schema.types, make) },
  })

  /** Graphs that do not hold one kind of policy. */
  const leaks: { readonly [name: string]: (world: World) => World } = {
    'hidden nodes': world => withTypes(world, ({ policy: _, ...type }) => type),
    'lists denied to their viewer': world =>
      withTypes(world, type => ({ ...type, edges: mapValues(type.edges, ({ policy: _, ...edge }) => edge) })),
    'fields denied to their viewer': world =>
      withTypes(world, type => ({
        ...type,
        fields: mapValues(type.fields, ({ policy: _, ...field }) => field),
      })),
  }

  /** A graph whose counts are of all there is. */
  const counting: Opening = async (world, options) => {
    const { graph, session } = await openWorld(world, options)
    const insider = await openWorld({ ...world, schema: open(world.schema) }, options)
    const getEdge: typeof graph.getEdge = async (token, call) => {
      const page = await graph.getEdge(token, call)
      if (!('summary' in page)) return page
      const { summary } = Object(await insider.graph.getEdge(insider.session, call))
      return { ...page, summary }
    }
    return { graph: { ...graph, getEdge }, session }
  }

  /** A graph that tells of every edge whether it is there. */
  const telling: Opening = async (world, options) => {
    const { graph, session } = await openWorld(world, options)
    const insider = await openWorld({ ...world, schema: open(world.schema) }, options)
    const hasEdge: typeof graph.hasEdge = async (token, call) =>
      (await graph.hasEdge(token, call)) || insider.graph.hasEdge(insider.session, call)
    return { graph: { ...graph, hasEdge }, session }
  }

  const finds = async (opening: Opening): Promise<boolean> => {
    const { failed } = await fc.check(
      fc.asyncProperty(cases(false), one => compare(one, opening)),
      { ...settings(500), endOnFailure: true },
    )
    return failed
  }

  it.each(Object.entries(leaks))('%s', async (_name, leak) => {
    expect(await finds((world, options) => openWorld(leak(world), options))).toBe(true)
  })

  it('counts of all there is', async () => {
    expect(await finds(counting)).toBe(true)
  })

  it('edges to hidden nodes, and those of lists denied to their viewer', async () => {
    expect(await finds(telling)).toBe(true)
  })
})
