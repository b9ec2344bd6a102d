import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { captureOutcome } from '../helpers/call-graph.ts'
import { worlds } from '../helpers/graph-arbitraries.ts'
import { completeValues, fitValues, isFilterActive } from '../helpers/naive-graph/edge-parameters.ts'
import { filterWorld } from '../helpers/naive-graph/visible-world.ts'
import type { EdgeSpec, ParameterValues, World } from '../helpers/naive-graph/world.ts'
import { type FilterWatcher, type OpenWorldOptions, openWorld } from '../helpers/open-world.ts'
import { parameterValues, withReadable } from '../helpers/parameter-arbitraries.ts'
import { worldsWithCalls } from '../helpers/query-arbitraries.ts'
import { mapValues } from '../helpers/schema-arbitraries.ts'
import { compareWithNaive } from './naive-comparison.ts'
import { propertySettings } from './property-settings.ts'

const policyWorlds = worlds({ hasPolicies: true, parameters: 'all' })
const cases = worldsWithCalls({ hasPolicies: true, parameters: 'all', most: 3 })

type WorldOpener = (world: World, options: OpenWorldOptions) => ReturnType<typeof openWorld>

const withEdges = (world: World, change: (edge: EdgeSpec) => EdgeSpec): World => ({
  ...world,
  schema: {
    ...world.schema,
    types: mapValues(world.schema.types, type => ({ ...type, edges: mapValues(type.edges, change) })),
  },
})

/** Makes the filters of a world see all fields that they could read. */
const readAllFields = (world: World): World =>
  withEdges(world, ({ where, ...edge }) =>
    where === undefined
      ? edge
      : withReadable(world.schema, { ...edge, where: { ...where, reads: ['mood', 'live'] } }),
  )

const withoutNodePolicies = (world: World): World => ({
  ...world,
  schema: {
    ...world.schema,
    types: mapValues(world.schema.types, ({ policy: _, ...type }) => type),
  },
})

/** Returns what the filters of a world may see: entries of visible lists, and the fields in `reads`. */
const createFilterExpectations = (world: World): FilterWatcher => {
  const visible = filterWorld(world)
  return (type, name) => (entry, values) => {
    const edge = world.schema.types[type]?.edges[name]
    if (edge === undefined) throw new Error(`${type} has no edge ${name}`)
    const { data, time, target } = entry
    const node = visible.nodes.find(({ id }) => id === target.id)
    expect(node?.type).toBe(target.type)
    const reads = edge.where?.reads.filter(name => Object.hasOwn(node?.fields ?? {}, name)) ?? []
    expect(target.fields).toEqual(Object.fromEntries(reads.map(name => [name, node?.fields[name]])))
    const entries = visible.edges.filter(entry => entry.target === target.id && entry.time === time)
    const isOpen = (field: string) =>
      Object.hasOwn(edge.fields, field) && edge.fields[field]?.scope === undefined
    const openData = entries.map(entry =>
      Object.fromEntries(Object.entries(entry.data ?? {}).filter(([field]) => isOpen(field))),
    )
    expect(openData).toContainEqual(data)
    expect(values).toEqual(completeValues(edge, values))
    expect(isFilterActive(edge, values)).toBe(true)
  }
}

/**
 * Reads all lists of a world through a graph of the same or a changed world. Expects that the filters see only
 * what they may see. Returns how many entries they saw.
 */
const watchFilters = async (
  world: World,
  values: ParameterValues,
  opened: World = world,
): Promise<number> => {
  const check = createFilterExpectations(world)
  const failures: unknown[] = []
  let seen = 0
  // A filter that throws leaves its entry out, so that a failure would be lost.
  const watcher: FilterWatcher = (type, edge) => {
    const checkEntry = check(type, edge)
    return (...call) => {
      seen++
      try {
        checkEntry(...call)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  const { graph, session } = await openWorld(opened, { watchFilters: watcher })
  for (const { id, type } of world.nodes) {
    for (const [edge, spec] of Object.entries(world.schema.types[type]?.edges ?? {})) {
      const call = { id, edge, parameters: fitValues([spec], values) }
      await captureOutcome(() => graph.getEdge(session, { ...call, fields: 'id', limit: 2, summary: true }))
      for (const target of world.nodes)
        await captureOutcome(() => graph.hasEdge(session, { ...call, target: target.id }))
    }
  }
  for (const failure of failures) throw failure
  return seen
}

describe('a filter of an edge', () => {
  it('receives only visible entries, with the fields in reads and the data without scope, if it applies', async () => {
    let seen = 0
    await fc.assert(
      fc.asyncProperty(policyWorlds, parameterValues, async (world, values) => {
        seen += await watchFilters(world, values)
      }),
      propertySettings(40, 600),
    )
    expect(seen).toBeGreaterThan(100)
  })

  /** Worlds whose filters receive more than they may see. */
  const leaks: { readonly [name: string]: (world: World) => World } = {
    'entries that a policy hides': withoutNodePolicies,
    'a field of the target that reads does not name': readAllFields,
    'data of the edge with a scope': world =>
      withEdges(world, edge => ({
        ...edge,
        fields: mapValues(edge.fields, ({ kind }) => ({ kind })),
      })),
  }

  it.each(Object.entries(leaks))('is observed if it receives %s', async (_name, leak) => {
    const { failed } = await fc.check(
      fc.asyncProperty(policyWorlds, parameterValues, async (world, values) => {
        await watchFilters(world, values, leak(world))
      }),
      { ...propertySettings(3000), endOnFailure: true },
    )
    expect(failed).toBe(true)
  })
})

describe('the comparison with the naive reference graph', () => {
  const changeWorld =
    (change: (world: World) => World): WorldOpener =>
    (world, options) =>
      openWorld(change(world), options)

  /** Opens a graph whose `getEdge` is changed. The second graph has no filters. */
  const changeGetEdge =
    (
      change: (
        page: object,
        unfiltered: (call: object) => Promise<object>,
        call: object,
      ) => Promise<object> | object,
    ): WorldOpener =>
    async (world, options) => {
      const opened = await openWorld(world, options)
      const other = await openWorld(
        withEdges(world, ({ where: _, ...edge }) => edge),
        options,
      )
      const getEdge = async (
        token: typeof opened.session,
        call: Parameters<typeof opened.graph.getEdge>[1],
      ) =>
        Object(
          await change(
            await opened.graph.getEdge(token, call),
            () => other.graph.getEdge(other.session, call),
            call,
          ),
        )
      return { ...opened, graph: { ...opened.graph, getEdge } }
    }

  const defects: { readonly [name: string]: WorldOpener } = {
    'a filter that is ignored': changeWorld(world => withEdges(world, ({ where: _, ...edge }) => edge)),
    'a filter that runs without the values of its parameters': changeWorld(world =>
      withEdges(world, ({ where, ...edge }) => ({
        ...edge,
        where: where && { ...where, differs: !where.differs },
      })),
    ),
    'a count that ignores the filter': changeGetEdge(async (page, unfiltered, call) =>
      'summary' in page ? { ...page, summary: Object(await unfiltered(call)).summary } : page,
    ),
    'the defaults of parameters ignored': changeWorld(world =>
      withEdges(world, ({ parameters, ...edge }) => ({
        ...edge,
        parameters: parameters && mapValues(parameters, ({ default: _, ...spec }) => spec),
      })),
    ),
    'one stored list for all values': changeWorld(world => withEdges(world, ({ list: _, ...edge }) => edge)),
    'a filter that sees a field of the target that reads does not name': changeWorld(readAllFields),
  }

  it.each(Object.entries(defects))('finds %s', async (_name, opener) => {
    const { failed } = await fc.check(
      fc.asyncProperty(cases, ({ world, calls }) => compareWithNaive(world, calls, { opener })),
      { ...propertySettings(3000), endOnFailure: true },
    )
    expect(failed).toBe(true)
  })
})
