import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAppIdOptions, createIdMapper } from '../helpers/app-id-options.ts'
import { missingIdOf } from '../helpers/id-kinds.ts'
import { inheritingWorlds } from '../helpers/inheriting-worlds.ts'
import {
  type LookalikeCase,
  lookalikeCases,
  readFirstCursor,
  withoutPolicies,
} from '../helpers/lookalike-cases.ts'
import { isFilterActive } from '../helpers/naive-graph/edge-parameters.ts'
import type { RuleSpec } from '../helpers/naive-graph/policies.ts'
import type { ParameterValues, SchemaSpec, World } from '../helpers/naive-graph/world.ts'
import { type OpenWorldOptions, openWorld } from '../helpers/open-world.ts'
import type { ParameterShare } from '../helpers/parameter-arbitraries.ts'
import { type Caller, recordTranscript, withIds } from '../helpers/probes.ts'
import { filterAndReadAhead, filterByConditions } from '../helpers/read-ahead-store.ts'
import { readEntries } from '../helpers/read-entry.ts'
import { readyMadeWorlds } from '../helpers/ready-made-worlds.ts'
import { mapValues } from '../helpers/schema-arbitraries.ts'
import { propertySettings } from './property-settings.ts'

/** A viewer, and a session of the same graph that makes the same calls at the same time. */
type SharedCaller = Caller & { readonly bypassing?: Caller['session'] }

type WorldOpener = (world: World, options: OpenWorldOptions) => Promise<SharedCaller>

/** Records what the viewer receives from each of two worlds, call by call. */
const recordTranscripts = async (
  { world, other, probes, scoped, consistency, cost }: LookalikeCase,
  opener: WorldOpener,
) => {
  const ids = scoped ? createAppIdOptions() : undefined
  const options = { limits: { cost }, consistency, ...ids }
  const one = await opener(world, options)
  const two = await opener(other, options)
  const insider = await openWorld({ ...other, schema: withoutPolicies(other.schema) }, options)
  const all = [...new Set([...world.nodes, ...other.nodes].map(({ id }) => id)), missingIdOf(world)]
  const app = ids?.appIds.forApp('tests')
  const mapId = createIdMapper([world, other], id => app?.toPublic(id) ?? id)
  const pairs: (readonly [readonly string[], readonly string[]])[] = []
  for (const { callSpec, variant } of probes) {
    const probe = { callSpec: withIds(callSpec, mapId), variant }
    const context = { ids: all.map(mapId), cursor: await readFirstCursor(insider, probe) }
    const read = async (caller: Caller): Promise<readonly string[]> => [
      ...(await recordTranscript(caller, probe, context)),
      ...(await readEntries(caller, probe, context.ids)),
    ]
    const transcript = async ({ graph, session, bypassing }: SharedCaller): Promise<readonly string[]> => {
      if (bypassing === undefined) return read({ graph, session })
      // Either session may be the first that reads an expression.
      const sessions = variant.seed % 2 === 0 ? [session, bypassing] : [bypassing, session]
      const texts = await Promise.all(sessions.map(one => read({ graph, session: one })))
      return texts[sessions.indexOf(session)] ?? []
    }
    pairs.push([await transcript(one), await transcript(two)])
  }
  return pairs
}

/** Opens a graph with the session of the viewer, and another one that skips policies. */
const openShared: WorldOpener = async (world, options) => {
  const { graph, session } = await openWorld(world, options)
  const { viewer, app, scopes } = session
  return { graph, session, bypassing: graph.session({ viewer, app, scopes, bypassPolicies: true }) }
}

/** Pairs of general worlds, and of worlds with long chains of refs, roles and parameters. */
const pairs = (hasErrors: boolean) =>
  fc.oneof(lookalikeCases(hasErrors), lookalikeCases(hasErrors, undefined, inheritingWorlds))

const compare = async (one: LookalikeCase, opener: WorldOpener = openWorld): Promise<void> => {
  for (const [world, other] of await recordTranscripts(one, opener)) expect(other).toEqual(world)
}

describe('a change of hidden data', () => {
  it('changes no byte of any result', async () => {
    await fc.assert(
      fc.asyncProperty(pairs(false), one => compare(one)),
      propertySettings(60, 10_000),
    )
  })

  it('changes no byte of any error', async () => {
    await fc.assert(
      fc.asyncProperty(pairs(true), one => compare(one)),
      propertySettings(40, 5000),
    )
  })

  it('changes no byte of any result or error if the store filters lists by conditions, or also reads ahead', async () => {
    const cases = (hasErrors: boolean) =>
      fc.oneof(
        { weight: 3, arbitrary: lookalikeCases(hasErrors, undefined, readyMadeWorlds()) },
        pairs(hasErrors),
      )
    await fc.assert(
      fc.asyncProperty(
        fc.boolean().chain(cases),
        fc.constantFrom(filterByConditions, filterAndReadAhead),
        (one, wrap) => compare(one, (world, options) => openWorld(world, { ...options, wrap })),
      ),
      propertySettings(40, 10_000),
    )
  })

  it('changes no byte of any result while a session that bypasses policies reads the same graph', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean().chain(pairs), one => compare(one, openShared)),
      propertySettings(60, 10_000),
    )
  })
})

describe('the comparison of results with different hidden data', () => {
  const withTypes = (
    world: World,
    make: (type: SchemaSpec['types'][string]) => SchemaSpec['types'][string],
  ): World => ({
    ...world,
    schema: { ...world.schema, types: mapValues(world.schema.types, make) },
  })

  /** Replaces each `canSee` by a rule that allows everyone. */
  const openRefs = (rule: RuleSpec): RuleSpec => {
    if (rule.rule === 'canSee') return { rule: 'everyone' }
    return 'members' in rule ? { ...rule, members: rule.members.map(openRefs) } : rule
  }

  /** Functions that remove one kind of policy from a world. */
  const leaks: { readonly [name: string]: (world: World) => World } = {
    'hidden nodes': world => withTypes(world, ({ policy: _, ...type }) => type),
    'nodes that inherit from hidden nodes': world =>
      withTypes(world, type => ({ ...type, policy: type.policy?.map(openRefs) })),
    'lists denied to their viewer': world =>
      withTypes(world, type => ({ ...type, edges: mapValues(type.edges, ({ policy: _, ...edge }) => edge) })),
    'fields denied to their viewer': world =>
      withTypes(world, type => ({
        ...type,
        fields: mapValues(type.fields, ({ policy: _, ...field }) => field),
      })),
  }

  /** Opens a graph whose counts include hidden entries. */
  const leakCounts: WorldOpener = async (world, options) => {
    const { graph, session } = await openWorld(world, options)
    const insider = await openWorld({ ...world, schema: withoutPolicies(world.schema) }, options)
    const getEdge: typeof graph.getEdge = async (token, call) => {
      const page = await graph.getEdge(token, call)
      if (!('summary' in page)) return page
      const { summary } = Object(await insider.graph.getEdge(insider.session, call))
      return { ...page, summary }
    }
    return { graph: { ...graph, getEdge }, session }
  }

  /** Opens a graph whose `hasEdge` ignores policies. */
  const leakEdges: WorldOpener = async (world, options) => {
    const { graph, session } = await openWorld(world, options)
    const insider = await openWorld({ ...world, schema: withoutPolicies(world.schema) }, options)
    const hasEdge: typeof graph.hasEdge = async (token, call) =>
      (await graph.hasEdge(token, call)) || insider.graph.hasEdge(insider.session, call)
    return { graph: { ...graph, hasEdge }, session }
  }

  /** Opens a graph whose filters run before the policies, so that hidden entries count and take places. */
  const filterFirst: WorldOpener = async (world, options) => {
    const { graph, session } = await openWorld(world, options)
    const insider = await openWorld({ ...world, schema: withoutPolicies(world.schema) }, options)
    const isFiltered = ({ edge, parameters }: { edge: string; parameters?: ParameterValues }): boolean =>
      Object.values(world.schema.types).some(({ edges: { [edge]: spec } }) =>
        spec === undefined ? false : isFilterActive(spec, parameters),
      )
    const getEdge: typeof graph.getEdge = async (token, call) => {
      const page = await graph.getEdge(token, call)
      if (!isFiltered(Object(call))) return page
      const { after: _, before: _before, ...list } = Object(call)
      const whole = Object(await graph.getEdge(token, { ...list, limit: 100 }))
      const shown: readonly string[] = whole.data.map(({ id }: { id: string }) => id)
      const { data, summary } = Object(await insider.graph.getEdge(insider.session, call))
      const kept = data.filter(({ id }: { id: string }) => shown.includes(id))
      return Object({ data: kept.map(({ id }: { id: string }) => ({ id })), summary })
    }
    return { graph: { ...graph, getEdge }, session }
  }

  const findsLeak = async (opener: WorldOpener, parameters?: ParameterShare): Promise<boolean> => {
    const { failed } = await fc.check(
      fc.asyncProperty(lookalikeCases(false, parameters), one => compare(one, opener)),
      { ...propertySettings(3000), endOnFailure: true },
    )
    return failed
  }

  it.each(Object.entries(leaks))('detects a leak: %s', async (_name, leak) => {
    expect(await findsLeak((world, options) => openWorld(leak(world), options))).toBe(true)
  })

  it('detects a count that includes hidden entries', async () => {
    expect(await findsLeak(leakCounts)).toBe(true)
  })

  it('detects a filter that runs before the policies', async () => {
    expect(await findsLeak(filterFirst, 'all')).toBe(true)
  })

  it('detects that hasEdge finds hidden edges', async () => {
    expect(await findsLeak(leakEdges)).toBe(true)
  })
})
