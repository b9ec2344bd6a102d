import fc from 'fast-check'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { INHERITING_TYPES, inheritingWorlds, SHELF } from '../helpers/inheriting-worlds.ts'
import { NaivePolicies } from '../helpers/naive-graph/policies.ts'
import type { World } from '../helpers/naive-graph/world.ts'
import { openWorld } from '../helpers/open-world.ts'
import { createFixedPassSizes, overrideScan } from '../helpers/scan-overrides.ts'
import { propertySettings } from './property-settings.ts'

/** Returns the ids of the nodes that the naive recursion allows. */
const findVisible = (world: World): ReadonlySet<string> => {
  const naive = new NaivePolicies(world)
  const { types } = world.schema
  return new Set(world.nodes.filter(node => naive.allows(types[node.type]?.policy, node)).map(({ id }) => id))
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

/** Parts of an expression that read the same nodes in different ways. */
const PARTS = [
  'items.limit(100){id,owner{id}}',
  'items.as(others).limit(100){origin{id,owner{id}},owner{id}}',
  'pins.limit(100){to{id,owner{id,owner{id,owner{id,owner{id}}}}}}',
  // Reads most nodes first behind `canSee`, and then as results.
  'pins.as(few).limit(1){to{id,owner{id,owner{id,owner{id}}}}}',
]

const expressions = fc.shuffledSubarray(PARTS, { minLength: 1 }).map(parts => parts.join())

/** Collects the ids of all nodes in a result. */
const collectIds = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  const own = 'id' in value && typeof value.id === 'string' ? [value.id] : []
  return [...own, ...Object.values(value).flatMap(collectIds)]
}

const idsIn = (page: unknown): readonly string[] =>
  Object(page)
    .data.map(({ id }: { readonly id: string }) => id)
    .toSorted()

describe('canSee', () => {
  it('equals the naive recursion for each node alone, in a list, through a ref and behind canSee', async () => {
    let inherited = 0
    await fc.assert(
      fc.asyncProperty(inheritingWorlds, expressions, async (world, fields) => {
        const visible = findVisible(world)
        const { graph, session } = await openWorld(world)
        const items = world.nodes.filter(({ type }) => INHERITING_TYPES.includes(type))
        const expected = items.map(({ id }) => id).filter(id => visible.has(id))
        for (const { id, type, fields: refs } of items) {
          const alone = await graph
            .getNode(session, { id, fields: 'id,owner{id},origin{id}' })
            .catch(() => undefined)
          expect(alone !== undefined, id).toBe(visible.has(id))
          if (alone !== undefined && type === 'comment' && visible.has(`${refs.owner}`)) inherited++
          expect(await graph.hasEdge(session, { id: SHELF, edge: 'items', target: id })).toBe(visible.has(id))
        }
        const list = await graph.getEdge(session, {
          id: SHELF,
          edge: 'items',
          fields: 'id',
          limit: 100,
          summary: true,
        })
        expect(idsIn(list)).toEqual(expected)
        expect(list).toMatchObject({ summary: { total_count: expected.length } })

        const shelf = Object(await graph.getNode(session, { id: SHELF, fields }))
        const pinsAndShelf = world.nodes
          .filter(({ type }) => type === 'pin' || type === 'shelf')
          .map(({ id }) => id)
        const shown = new Set([...visible, ...pinsAndShelf])
        expect(collectIds(shelf).filter(id => !shown.has(id))).toEqual([])
        if (fields.includes('items.limit')) expect(idsIn(shelf.items)).toEqual(expected)
        if (fields.includes('others')) expect(idsIn(shelf.others)).toEqual(expected)
        if (!fields.includes('pins.limit')) return
        const pinned: readonly { readonly to?: { readonly id: string } }[] = shelf.pins.data
        expect(pinned.flatMap(({ to }) => to?.id ?? []).toSorted()).toEqual(expected)
      }),
      propertySettings(100, 3000),
    )
    expect(inherited).toBeGreaterThan(0)
  })

  it('takes at most the store reads that explain returns', async () => {
    let most = 0
    await fc.assert(
      fc.asyncProperty(inheritingWorlds, expressions, async (world, fields) => {
        const { graph, session, countReadsOf } = await openCountedWorld(world)
        const node = await countReadsOf(() => graph.getNode(session, { id: SHELF, type: 'shelf', fields }))
        const explained = graph.explain({ type: 'shelf', fields })
        expect(node.reads).toBeLessThanOrEqual(explained.reads)
        most = Math.max(most, node.reads)
        const call = { edge: 'items', fields: 'id,owner{id}' }
        const page = await countReadsOf(() => graph.getEdge(session, { id: SHELF, type: 'shelf', ...call }))
        expect(page.reads).toBeLessThanOrEqual(graph.explain({ type: 'shelf', ...call }).reads)
      }),
      propertySettings(100, 3000),
    )
    expect(most).toBeGreaterThan(3)
  })
})
