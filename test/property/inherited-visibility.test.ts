import fc, { type Arbitrary } from 'fast-check'
import { countReads } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { NaivePolicies, type PolicySpec, type RuleSpec } from '../helpers/naive-graph/policies.ts'
import type { EdgeSpec, FieldSpec, TypeSpec, World } from '../helpers/naive-graph/world.ts'
import { openWorld } from '../helpers/open-world.ts'
import { createFixedPassSizes, overrideScan } from '../helpers/scan-overrides.ts'
import { propertySettings } from './property-settings.ts'

const VIEWER = '1'
const SHELF = '2'
/** The types of nodes whose policies inherit from each other, in circles too. */
const TYPES = ['comment', 'post', 'photo', 'group']
const REFS = ['owner', 'origin']
const FIRST_ID = 100
const FIRST_PIN_ID = 1000

const simpleRules: Arbitrary<RuleSpec> = fc.oneof(
  fc.constant<RuleSpec>({ rule: 'hasEdgeToViewer', edge: 'members' }),
  fc.constantFrom(...REFS).map((ref): RuleSpec => ({ rule: 'isViewer', of: ref })),
  fc.record({
    rule: fc.constant('listed'),
    ids: fc.subarray(Array.from({ length: 12 }, (_, index) => `${FIRST_ID + index}`)),
    decision: fc.constantFrom('allow', 'deny'),
  }),
  fc.constant<RuleSpec>({
    rule: 'not',
    member: { rule: 'hasEdgeToViewer', edge: 'members' },
  }),
)

const inheritingRules: Arbitrary<RuleSpec> = fc
  .constantFrom(...REFS)
  .map((ref): RuleSpec => ({ rule: 'canSee', ref }))

const rules: Arbitrary<RuleSpec> = fc.oneof(
  { weight: 4, arbitrary: inheritingRules },
  { weight: 2, arbitrary: simpleRules },
  fc.record({
    rule: fc.constantFrom('anyOf', 'allOf'),
    members: fc.array(fc.oneof(inheritingRules, simpleRules), { minLength: 1, maxLength: 3 }),
  }),
)

const policies: Arbitrary<PolicySpec | undefined> = fc.option(fc.array(rules, { maxLength: 3 }), {
  nil: undefined,
  freq: 6,
})

const edgeTo = (...targets: readonly string[]): EdgeSpec => ({
  targets,
  order: 'chronological',
  fields: {},
})

const refTo = (...targets: readonly string[]): FieldSpec => ({ kind: 'ref', targets })

const createTypes = (
  typePolicies: readonly (PolicySpec | undefined)[],
): { readonly [name: string]: TypeSpec } => ({
  person: { fields: {}, edges: {} },
  shelf: { fields: {}, edges: { items: edgeTo(...TYPES), pins: edgeTo('pin') } },
  pin: { fields: { to: refTo(...TYPES) }, edges: {} },
  ...Object.fromEntries(
    TYPES.map((type, index): [string, TypeSpec] => [
      type,
      {
        // One type always inherits, so each level of an expression may take the reads of `canSee`.
        policy:
          index === 0 ? [{ rule: 'canSee', ref: 'owner' }, ...(typePolicies[0] ?? [])] : typePolicies[index],
        fields: { owner: refTo(...TYPES), origin: refTo(...TYPES, 'person') },
        edges: { members: edgeTo('person') },
      },
    ]),
  ),
})

type NodeSeed = {
  readonly type: string
  readonly owner: number
  readonly origin: number
  readonly isMember: boolean
}

/** Refs lead to any node, to no node, or to the node itself. */
const nodeSeeds: Arbitrary<NodeSeed> = fc.record({
  type: fc.constantFrom(...TYPES),
  owner: fc.nat(13),
  origin: fc.nat(13),
  isMember: fc.boolean(),
})

/** A world with a shelf: its list `items` contains all nodes, and its pins lead to all nodes by a ref. */
const worlds: Arbitrary<World> = fc
  .record({
    typePolicies: fc.tuple(...TYPES.map(() => policies)),
    seeds: fc.array(nodeSeeds, { minLength: 1, maxLength: 12, size: 'max' }),
  })
  .map(({ typePolicies, seeds }) => {
    const ids = seeds.map((_, index) => `${FIRST_ID + index}`)
    const refOf = (index: number): string => ids[index] ?? (index % 2 === 0 ? VIEWER : '404')
    const nodes = seeds.map(({ type, owner, origin }, index) => ({
      id: `${FIRST_ID + index}`,
      type,
      fields: { owner: refOf(owner), origin: refOf(origin) },
    }))
    const pins = ids.map((to, index) => ({ id: `${FIRST_PIN_ID + index}`, type: 'pin', fields: { to } }))
    const edges = [
      ...ids.map(target => ({ source: SHELF, name: 'items', target, time: 0 })),
      ...pins.map(({ id: target }) => ({ source: SHELF, name: 'pins', target, time: 0 })),
      ...nodes
        .filter((_, index) => seeds[index]?.isMember)
        .map(({ id: source }) => ({ source, name: 'members', target: VIEWER, time: 0 })),
    ]
    return {
      schema: { types: createTypes(typePolicies), viewers: ['person'] },
      nodes: [
        { id: VIEWER, type: 'person', fields: {} },
        { id: SHELF, type: 'shelf', fields: {} },
        ...nodes,
        ...pins,
      ],
      edges,
      viewer: VIEWER,
      scopes: [],
    }
  })

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
      fc.asyncProperty(worlds, expressions, async (world, fields) => {
        const visible = findVisible(world)
        const { graph, session } = await openWorld(world)
        const items = world.nodes.filter(({ type }) => TYPES.includes(type))
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
      fc.asyncProperty(worlds, expressions, async (world, fields) => {
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
