import fc from 'fast-check'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { compareIds } from '../../src/base/ids.ts'
import { INHERITING_TYPES, inheritingWorlds, shelfOf } from '../helpers/inheriting-worlds.ts'
import { depthOf } from '../helpers/naive-graph/naive-cost.ts'
import { NaivePolicies } from '../helpers/naive-graph/policies.ts'
import { comparePositions } from '../helpers/naive-graph/positions.ts'
import type { World } from '../helpers/naive-graph/world.ts'
import { openWorld } from '../helpers/open-world.ts'
import { createFixedPassSizes, overrideScan } from '../helpers/scan-overrides.ts'
import { assertReaching, propertySettings } from './property-settings.ts'

/** Returns the ids of the nodes that the naive recursion allows if it follows at most `depth` refs in a row. */
const findVisible = (world: World, depth = 4): ReadonlySet<string> => {
  const naive = new NaivePolicies(world)
  const { types } = world.schema
  const visible = world.nodes.filter(node => naive.allows(types[node.type]?.policy, node, depth))
  return new Set(visible.map(({ id }) => id))
}

const openCountedWorld = async (world: World) => {
  const stores: ReturnType<typeof countReads>[] = []
  const opened = await openWorld(world, {
    wrap: store => {
      const counted = countReads(store)
      stores.push(counted)
      return counted
    },
  })
  // Each list is read in one pass.
  overrideScan(opened.graph, { passSizes: createFixedPassSizes(100) })
  const countReadsOf = async <TResult>(call: () => Promise<TResult>) => {
    for (const store of stores) store.clear()
    const result = await call()
    return { result, reads: stores.reduce((sum, { reads }) => sum + reads.length, 0) }
  }
  return { ...opened, countReadsOf }
}

/** The refs to follow from a node, and from the nodes that they lead to. */
type Refs = { readonly [name: string]: Refs }

type Part = {
  readonly key: string
  readonly text: string
  readonly list: 'items' | 'pins'
  readonly limit: number
  readonly refs: Refs
}

const FOUR_OWNERS: Refs = { owner: { owner: { owner: { owner: {} } } } }

/**
 * Parts of an expression that read the same nodes in different ways: in a list, through refs, and behind `canSee`
 * of each depth.
 */
const PARTS: readonly Part[] = [
  {
    key: 'items',
    text: 'items.limit(100){id,owner{id}}',
    list: 'items',
    limit: 100,
    refs: { owner: {} },
  },
  {
    key: 'others',
    text: 'items.as(others).limit(100){origin{id,owner{id}},owner{id}}',
    list: 'items',
    limit: 100,
    refs: { origin: { owner: {} }, owner: {} },
  },
  {
    key: 'pins',
    text: 'pins.limit(100){to{id,owner{id,owner{id,owner{id,owner{id}}}}}}',
    list: 'pins',
    limit: 100,
    refs: { to: FOUR_OWNERS },
  },
  {
    // Reads most nodes first behind `canSee`, and then as results.
    key: 'few',
    text: 'pins.as(few).limit(1){to{id,owner{id,owner{id,owner{id,owner{id}}}}}}',
    list: 'pins',
    limit: 1,
    refs: { to: FOUR_OWNERS },
  },
]

const partLists = fc.shuffledSubarray([...PARTS], { minLength: 1 })

/** A part of the result of a read: a node, and the nodes that its refs lead to. */
type Shown = { readonly [name: string]: Shown | string }

/** Returns what a viewer sees of a node and of the nodes that its refs lead to, or `undefined` for a hidden node. */
const showNode = (world: World, visible: ReadonlySet<string>, id: unknown, refs: Refs): Shown | undefined => {
  const node = world.nodes.find(one => one.id === id)
  if (node === undefined || !visible.has(node.id)) return undefined
  const below = Object.entries(refs).flatMap(([name, refsBelow]) => {
    const field = world.schema.types[node.type]?.fields[name]
    const target = world.nodes.find(one => one.id === node.fields[name])
    const isTarget = field?.kind === 'ref' && target !== undefined && field.targets.includes(target.type)
    const shown = isTarget ? showNode(world, visible, target.id, refsBelow) : undefined
    return shown === undefined ? [] : [[name, shown] as const]
  })
  return { id: node.id, ...Object.fromEntries(below) }
}

const showPart = (world: World, visible: ReadonlySet<string>, { list, limit, refs }: Part) =>
  world.edges
    .filter(({ source, name }) => source === shelfOf(world) && name === list)
    .toSorted((a, b) => comparePositions('chronological', a, b))
    .flatMap(({ target }) => showNode(world, visible, target, refs) ?? [])
    .slice(0, limit)

const ROOT_FIELDS = 'id,owner{id,owner{id}},origin{id}'
const ROOT_REFS: Refs = { owner: { owner: {} }, origin: {} }

type OpenedWorld = Awaited<ReturnType<typeof openWorld>>

/** Expects that a node alone, its edge in a list, and the list with its count show exactly the visible nodes. */
const expectOneVisibility = async (
  { graph, session }: OpenedWorld,
  world: World,
  visible: ReadonlySet<string>,
): Promise<void> => {
  const items = world.nodes.filter(({ type }) => INHERITING_TYPES.includes(type)).map(({ id }) => id)
  const show = (id: string) => showNode(world, visible, id, ROOT_REFS)
  for (const id of items) {
    const alone = await graph.getNode(session, { id, fields: ROOT_FIELDS }).catch(() => undefined)
    expect(alone, id).toEqual(show(id))
    expect(await graph.hasEdge(session, { id: shelfOf(world), edge: 'items', target: id })).toBe(
      visible.has(id),
    )
  }
  const ids = items.filter(id => visible.has(id)).toSorted(compareIds)
  if (ids.length > 0)
    expect(await graph.getNodes(session, { ids, fields: ROOT_FIELDS })).toEqual(
      Object.fromEntries(ids.map(id => [id, show(id)])),
    )
  const call = { id: shelfOf(world), edge: 'items', fields: 'id', limit: 100, summary: true } as const
  expect(await graph.getEdge(session, call)).toMatchObject({
    data: ids.map(id => ({ id })),
    summary: { total_count: ids.length },
  })
}

describe('canSee', () => {
  it('equals the naive recursion for each node alone, in a list, through a ref and behind canSee', async () => {
    let inherited = 0
    await assertReaching(
      fc.asyncProperty(inheritingWorlds, partLists, async (world, parts) => {
        const visible = findVisible(world)
        const opened = await openWorld(world)
        await expectOneVisibility(opened, world, visible)
        const { graph, session } = opened
        const fields = parts.map(({ text }) => text).join()
        const shelf = Object(await graph.getNode(session, { id: shelfOf(world), fields }))
        for (const part of parts)
          expect(shelf[part.key].data, part.key).toEqual(showPart(world, visible, part))
        // A longer chain of refs only allows more.
        inherited += visible.size - findVisible(world, 1).size
      }),
      propertySettings(60, 3000),
      () => inherited > 0,
    )
  })

  it('takes at most the store reads that explain returns', async () => {
    let most = 0
    await fc.assert(
      fc.asyncProperty(inheritingWorlds, partLists, async (world, parts) => {
        const fields = parts.map(({ text }) => text).join()
        const { graph, session, countReadsOf } = await openCountedWorld(world)
        const node = await countReadsOf(() =>
          graph.getNode(session, { id: shelfOf(world), type: 'shelf', fields }),
        )
        const explained = graph.explain({ type: 'shelf', fields })
        expect(node.reads).toBeLessThanOrEqual(explained.reads)
        most = Math.max(most, node.reads)
        for (const call of ['id', 'id,owner{id}'].map(fields => ({ edge: 'items', fields }))) {
          const page = await countReadsOf(() =>
            graph.getEdge(session, { id: shelfOf(world), type: 'shelf', ...call }),
          )
          expect(page.reads).toBeLessThanOrEqual(graph.explain({ type: 'shelf', ...call }).reads)
        }
        for (const { id, type } of world.nodes) {
          if (depthOf(world.schema, type, world.schema.types[type]?.policy) === 0) continue
          const call = { type, fields: 'id' }
          const alone = await countReadsOf(() =>
            graph.getNode(session, { id, ...call }).catch(() => undefined),
          )
          expect(alone.reads).toBeLessThanOrEqual(graph.explain(call).reads)
        }
      }),
      propertySettings(60, 3000),
    )
    expect(most).toBeGreaterThan(3)
  })
})
