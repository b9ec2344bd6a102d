import fc from 'fast-check'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { callGraph, callNaiveGraph, captureOutcome } from '../helpers/call-graph.ts'
import { idOf as idOfKind } from '../helpers/id-kinds.ts'
import { inheritingWorlds } from '../helpers/inheriting-worlds.ts'
import { withoutPolicies } from '../helpers/lookalike-cases.ts'
import { ROOT, storedPartOf, withCollectionEntries } from '../helpers/naive-graph/collections.ts'
import { listsOf } from '../helpers/naive-graph/edge-parameters.ts'
import { findOrder } from '../helpers/naive-graph/list-order.ts'
import { NaiveGraph } from '../helpers/naive-graph/naive-graph.ts'
import { type ItemSpec, printItems } from '../helpers/naive-graph/query.ts'
import type { World } from '../helpers/naive-graph/world.ts'
import { openWorld } from '../helpers/open-world.ts'
import { type CallSpec, worldsWithCalls } from '../helpers/query-arbitraries.ts'
import { createFixedPassSizes, overrideScan } from '../helpers/scan-overrides.ts'
import { mapValues, SCOPES, VIEWER_EDGE_FIELDS } from '../helpers/schema-arbitraries.ts'
import { assertReaching, propertySettings } from './property-settings.ts'

/** Opens a world whose store reads are counted. `readsOf` returns `undefined` for a call that fails. */
const openCountedWorld = async (world: World) => {
  const counted: ReturnType<typeof countReads>[] = []
  const opened = await openWorld(world, {
    wrap: store => {
      const wrapped = countReads(store)
      counted.push(wrapped)
      return wrapped
    },
  })
  // Each list is read in one pass. A read of larger passes is divided into parts.
  overrideScan(opened.graph, { passSizes: createFixedPassSizes(100) })
  const readsOf = async (call: () => unknown): Promise<number | undefined> => {
    for (const store of counted) store.clear()
    const outcome = await captureOutcome(call)
    return 'reason' in outcome ? undefined : counted.reduce((sum, { reads }) => sum + reads.length, 0)
  }
  return { ...opened, readsOf }
}

const countLevels = (world: World, callSpec: CallSpec) => {
  const naive = new NaiveGraph(world)
  callNaiveGraph(naive, callSpec)
  return naive.levels
}

/**
 * Expects one read per level. A level that needs only data of the levels above may cause one read or none.
 */
const expectReads = (reads: number, { count, minCount }: ReturnType<typeof countLevels>): void => {
  expect(reads).toBeLessThanOrEqual(count)
  expect(reads).toBeGreaterThanOrEqual(minCount)
}

const idsOf = (callSpec: CallSpec): readonly string[] => {
  if (callSpec.method === 'getMe') return ['me']
  return callSpec.method === 'getNodes' ? callSpec.ids : [callSpec.id]
}

/** Returns the options of `explain` for a call, or `undefined` if its root does not exist. */
const explainCall = ({ nodes, viewer }: World, callSpec: CallSpec) => {
  const [root] = idsOf(callSpec)
  const type = nodes.find(({ id }) => id === (root === 'me' ? viewer : root))?.type
  const edge = callSpec.method === 'getEdge' ? callSpec.edge : undefined
  const { version, fields } = callSpec
  return type === undefined ? undefined : { type, edge, version, fields: printItems(fields) }
}

/** Whether the order and the parameters of a list do not depend on the type of its source. */
const isListKnown = ({ schema }: World, callSpec: CallSpec): boolean => {
  if (callSpec.method !== 'getEdge') return true
  if (callSpec.id === ROOT) return true
  const edges = Object.entries(schema.types).flatMap(([type, { edges }]) =>
    type === ROOT ? [] : (edges[callSpec.edge] ?? []),
  )
  if (edges.length > 1 && edges.some(({ parameters }) => parameters !== undefined)) return false
  const orders = edges.map(edge => findOrder(edge, callSpec.order))
  return !orders.includes(undefined) && new Set(orders.map(order => JSON.stringify(order))).size < 2
}

/** Removes the counts: a page in a window is read in one pass, and its count in another. */
const withoutCounts = <
  T extends { readonly summary?: boolean | undefined; readonly limit?: number | undefined },
>(
  list: T,
): T => ({ ...list, summary: undefined, limit: list.limit === 0 ? undefined : list.limit })

const withoutItemCounts = (items: readonly ItemSpec[]): readonly ItemSpec[] =>
  items.map(({ fields, ...item }) => withoutCounts({ ...item, fields: fields && withoutItemCounts(fields) }))

/** Counts the types that have an edge. */
const countOwners = ({ schema }: World, edge: string): number =>
  Object.values(schema.types).filter(({ edges }) => edge in edges).length

const withoutFilters = (world: World): World => ({
  ...world,
  schema: {
    ...world.schema,
    types: mapValues(world.schema.types, type => ({
      ...type,
      edges: mapValues(type.edges, edge => ({ ...edge, where: undefined })),
    })),
  },
})

/**
 * Creates a world in which every level has something to read: each ref is set, and each list leads to all of
 * its edge's target types. No default field needs only data of the level above.
 */
const createFullWorld = ({ schema }: World): World => {
  const names = Object.keys(schema.types).filter(name => name !== ROOT)
  const idOf = (type: string): string =>
    type === ROOT ? ROOT : idOfKind(schema.ids ?? 'digits', type, `${names.indexOf(type) + 1}`)
  const types = Object.fromEntries(
    Object.entries(schema.types).map(([name, type]) => {
      const fields = mapValues(type.fields, field => {
        if (field.kind === 'viewerEdge') return { ...field, default: false }
        return field.kind === 'ref' ? { ...field, targets: field.targets.slice(0, 1) } : field
      })
      const edges = mapValues(type.edges, edge => ({
        ...edge,
        where: undefined,
        defaults: edge.defaults?.filter(name => !(name in VIEWER_EDGE_FIELDS)),
      }))
      return [name, { ...type, edges, fields }]
    }),
  )
  const nodes = Object.entries(types).map(([type, { fields }]) => {
    const refs = Object.entries(fields).flatMap(([name, field]) =>
      field.kind === 'ref' ? [[name, idOf(field.targets[0] ?? type)] as const] : [],
    )
    const keys = Object.entries(fields).flatMap(([name, field]) =>
      field.kind === 'value' && field.required ? [[name, 0] as const] : [],
    )
    return { id: idOf(type), type, fields: Object.fromEntries([...refs, ...keys]) }
  })
  const edges = Object.entries(types).flatMap(([type, { edges }]) =>
    [...listsOf({ fields: {}, edges })].flatMap(([name, { edge }]) =>
      edge.targets.map(target => ({
        source: idOf(type),
        name,
        target: idOf(target),
        time: 0,
        data: { rank: 0, at: 0, stamp: 0 },
      })),
    ),
  )
  return withCollectionEntries({
    schema: { ...schema, types },
    ...storedPartOf({ nodes, edges }),
    viewer: idOf(schema.viewers[0] ?? ''),
    scopes: SCOPES,
  })
}

/**
 * Removes time windows and limits from the items. Below the first level, also removes items that may need no
 * additional read.
 */
const withWholeLists = (items: readonly ItemSpec[]): readonly ItemSpec[] =>
  items.map(({ since: _since, until: _until, limit: _limit, fields = [], ...item }) => {
    const below = withWholeLists(fields.filter(({ name }) => !(name in VIEWER_EDGE_FIELDS)))
    return { ...item, fields: below.length === 0 ? undefined : below }
  })

describe('the number of store reads', () => {
  it('is at most one for each level of a query', async () => {
    await fc.assert(
      fc.asyncProperty(worldsWithCalls(), async ({ world, calls }) => {
        const { graph, session, readsOf } = await openCountedWorld(world)
        for (const callSpec of calls) {
          const reads = await readsOf(() => callGraph(graph, session, callSpec))
          if (reads !== undefined) expectReads(reads, countLevels(world, callSpec))
        }
      }),
      propertySettings(60),
    )
  })

  it('includes a separate read of the token only if the root is me or the node of collections', async () => {
    await fc.assert(
      fc.asyncProperty(worldsWithCalls(), async ({ world, calls }) => {
        const { graph, readsOf } = await openCountedWorld(world)
        const { viewer, scopes } = world
        const type = world.nodes.find(({ id }) => id === viewer)?.type
        if (type === undefined || !world.schema.viewers.includes(type)) return
        const token = await graph.tokens.issue({ viewer, app: 'tests', scopes })
        for (const callSpec of calls) {
          const reads = await readsOf(() => callGraph(graph, token, callSpec))
          // The node of collections needs no read, so the read of the token is another one.
          const isOfRoot = callSpec.method !== 'getEdge' && idsOf(callSpec).every(id => id === ROOT)
          const own = isOfRoot || idsOf(callSpec).includes('me') ? 1 : 0
          if (reads !== undefined) expectReads(reads - own, countLevels(world, callSpec))
        }
      }),
      propertySettings(60),
    )
  })

  it('is at most the number that explain returns, plus one if the order of a list depends on the type', async () => {
    await fc.assert(
      fc.asyncProperty(worldsWithCalls(), async ({ world: given, calls }) => {
        // The count of a filtered list in a time window takes a pass of its own.
        const world = withoutFilters(given)
        const { graph, session, readsOf } = await openCountedWorld(world)
        for (const callSpec of calls) {
          const call = explainCall(world, callSpec)
          const reads = await readsOf(() => callGraph(graph, session, callSpec))
          if (call === undefined || reads === undefined || callSpec.method === 'getNodes') continue
          // The items of `me` may have names that only other types of viewers have.
          const outcome = await captureOutcome(() => graph.explain(call))
          if ('reason' in outcome) continue
          const alone = isListKnown(world, callSpec) ? 0 : 1
          expect(reads).toBeLessThanOrEqual(graph.explain(call).reads + alone)
        }
      }),
      propertySettings(60),
    )
  })

  it('is under policies at most the number that explain returns, plus one read of checks for each level', async () => {
    const worlds = fc.oneof(
      worldsWithCalls({ hasPolicies: true }),
      worldsWithCalls({ from: inheritingWorlds }),
    )
    let inheritedReads = 0
    await assertReaching(
      fc.asyncProperty(worlds, async ({ world: given, calls }) => {
        const world = withoutFilters(given)
        const { graph, session, readsOf } = await openCountedWorld(world)
        const open = await openWorld({ ...world, schema: withoutPolicies(world.schema) })
        for (const given of calls) {
          const fields = withoutItemCounts(given.fields)
          const callSpec =
            given.method === 'getEdge' ? withoutCounts({ ...given, fields }) : { ...given, fields }
          const call = explainCall(world, callSpec)
          const reads = await readsOf(() => callGraph(graph, session, callSpec))
          if (call === undefined || reads === undefined || callSpec.method === 'getNodes') continue
          const outcome = await captureOutcome(() => graph.explain(call))
          if ('reason' in outcome) continue
          const explained = graph.explain(call).reads
          // The source of an edge and its entries are read together, but each of them has checks.
          const levels = open.graph.explain(call).reads + (callSpec.method === 'getEdge' ? 1 : 0)
          // The list is read after its source if the policies of its targets depend on the type of the source.
          const alone = callSpec.method === 'getEdge' && countOwners(world, callSpec.edge) > 1 ? 1 : 0
          expect(reads).toBeLessThanOrEqual(explained + levels + alone)
          if (reads > 2 * levels + alone) inheritedReads++
        }
      }),
      propertySettings(100, 2000),
      () => inheritedReads > 0,
    )
  })

  it('is the number that explain returns if every level has something to read', async () => {
    await fc.assert(
      fc.asyncProperty(worldsWithCalls(), async ({ world: given, calls }) => {
        const world = createFullWorld(given)
        const { graph, session, readsOf } = await openCountedWorld(world)
        for (const { id, type } of world.nodes) {
          for (const { fields: items, version } of calls) {
            const fields = printItems(withWholeLists(items))
            const reads = await readsOf(() => graph.getNode(session, { id, type, fields, version }))
            if (reads !== undefined) expect(reads).toBe(graph.explain({ type, fields, version }).reads)
          }
        }
      }),
      propertySettings(60),
    )
  })
})
