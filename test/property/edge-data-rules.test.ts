import fc, { type Arbitrary } from 'fast-check'
import {
  allOf,
  anyOf,
  createGraph,
  defineSchema,
  edge,
  field,
  hasEdgeToViewer,
  node,
  not,
  parameter,
  type Rule,
  viewerHasEdge,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { idKinds, idOf } from '../helpers/id-kinds.ts'
import { propertySettings } from './property-settings.ts'

type Value = string | number | boolean
type EdgeRuleSpec = {
  readonly kind: 'viewerHasEdge' | 'hasEdgeToViewer'
  readonly of: 'parent' | undefined
  readonly where: { readonly [field: string]: Value | Value[] } | undefined
  readonly list: 'members' | 'hosts' | undefined
}
type RuleSpec =
  | EdgeRuleSpec
  | { readonly kind: 'anyOf'; readonly members: readonly RuleSpec[] }
  | { readonly kind: 'allOf'; readonly members: readonly RuleSpec[] }
  | { readonly kind: 'not'; readonly member: RuleSpec }

type Membership = {
  readonly isFromUser: boolean
  readonly user: string
  readonly group: string
  readonly list: 'members' | 'hosts'
  readonly data: { readonly [field: string]: Value } | undefined
}

const USERS = ['1', '2']
const GROUPS = ['10', '11', '12']
const VALUES: { readonly [field: string]: readonly Value[] } = {
  role: ['guest', 'admin'],
  level: [0, 1, 2],
  banned: [true, false],
}

/** An object with some of the fields of an edge. */
const someFields = <T>(
  toMember: (value: Arbitrary<Value>) => Arbitrary<T>,
): Arbitrary<{ [field: string]: T }> =>
  fc
    .tuple(
      ...Object.entries(VALUES).map(([name, values]) =>
        fc.option(toMember(fc.constantFrom(...values)).map((value): [string, T] => [name, value])),
      ),
    )
    .map(members => Object.fromEntries(members.filter(member => member !== null)))

const edgeRule: Arbitrary<RuleSpec> = fc.record({
  kind: fc.constantFrom('viewerHasEdge', 'hasEdgeToViewer'),
  of: fc.constantFrom(undefined, undefined, 'parent'),
  where: fc.option(
    someFields(value => fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 2 }))),
    { nil: undefined, freq: 4 },
  ),
  list: fc.constantFrom(undefined, 'members', 'hosts'),
})
const composedRule: Arbitrary<RuleSpec> = fc.record({
  kind: fc.constantFrom('anyOf', 'allOf'),
  members: fc.array(edgeRule, { minLength: 1, maxLength: 3 }),
})
const anyRule = fc.oneof(
  { weight: 3, arbitrary: edgeRule },
  composedRule,
  fc.oneof(edgeRule, composedRule).map((member): RuleSpec => ({ kind: 'not', member })),
)

const digitWorlds = fc.record({
  ids: idKinds,
  policy: fc.array(anyRule, { minLength: 1, maxLength: 3 }),
  parents: fc.array(fc.constantFrom(undefined, ...GROUPS), {
    minLength: GROUPS.length,
    maxLength: GROUPS.length,
  }),
  memberships: fc.array(
    fc.record({
      isFromUser: fc.boolean(),
      user: fc.constantFrom(...USERS),
      group: fc.constantFrom(...GROUPS),
      list: fc.constantFrom('members' as const, 'hosts' as const),
      data: fc.option(
        someFields(value => value),
        { nil: undefined, freq: 5 },
      ),
    }),
    { maxLength: 12, size: 'max' },
  ),
})

/** Worlds with ids of either kind. */
const worlds = digitWorlds.map(world => ({
  ...world,
  users: USERS.map(id => idOf(world.ids, 'user', id)),
  groups: GROUPS.map(id => idOf(world.ids, 'group', id)),
  parents: world.parents.map(id => id && idOf(world.ids, 'group', id)),
  memberships: world.memberships.map(one => ({
    ...one,
    user: idOf(world.ids, 'user', one.user),
    group: idOf(world.ids, 'group', one.group),
  })),
}))

const createRule = (spec: RuleSpec): Rule => {
  switch (spec.kind) {
    case 'anyOf':
      return anyOf(...spec.members.map(createRule))
    case 'allOf':
      return allOf(...spec.members.map(createRule))
    case 'not':
      return not(createRule(spec.member))
    default: {
      const { kind, of, where, list } = spec
      const parameters = list && { kind: list }
      return kind === 'viewerHasEdge'
        ? viewerHasEdge('groups', { of, where, parameters })
        : hasEdgeToViewer('people', { of, where, parameters })
    }
  }
}

const createSchema = ({ policy, ids }: Pick<SpecWorld, 'policy' | 'ids'>) => {
  const options = {
    fields: { role: field.enum(['guest', 'admin']), level: field.int(), banned: field.bool() },
    parameters: { kind: parameter.enum(['members', 'hosts'], { default: 'members' }) },
    list: ({ kind }: { readonly kind: string }) => kind,
  } as const
  return defineSchema(
    {
      user: node({ edges: { groups: edge('group', options), feed: edge('group') } }),
      group: node({
        policy: policy.map(createRule),
        fields: { parent: field.ref('group') },
        edges: { people: edge('user', options) },
      }),
    },
    { viewers: ['user'], ids },
  )
}

type SpecWorld = typeof worlds extends Arbitrary<infer TWorld> ? TWorld : never

/** Decides a rule with the last write of each edge. */
const decide = (
  spec: RuleSpec,
  world: SpecWorld,
  group: string,
  viewer: string,
): 'allow' | 'deny' | 'skip' => {
  const holds = (member: RuleSpec): boolean => decide(member, world, group, viewer) === 'allow'
  if (spec.kind === 'anyOf') return spec.members.some(holds) ? 'allow' : 'skip'
  if (spec.kind === 'allOf') return spec.members.every(holds) ? 'allow' : 'skip'
  if (spec.kind === 'not') return holds(spec.member) ? 'deny' : 'allow'
  const subject = spec.of === undefined ? group : world.parents[world.groups.indexOf(group)]
  const membership = world.memberships.findLast(
    item =>
      item.isFromUser === (spec.kind === 'viewerHasEdge') &&
      item.user === viewer &&
      item.group === subject &&
      item.list === (spec.list ?? 'members'),
  )
  if (membership === undefined) return 'skip'
  const matches = Object.entries(spec.where ?? {}).every(([name, expected]) =>
    [expected].flat().includes(membership.data?.[name] ?? 'no value'),
  )
  return matches ? 'allow' : 'skip'
}

const isVisible = (world: SpecWorld, group: string, viewer: string): boolean => {
  const decisions = world.policy.map(rule => decide(rule, world, group, viewer))
  return decisions.find(decision => decision !== 'skip') === 'allow'
}

const openWorld = async (world: SpecWorld) => {
  const graph = createGraph(createMemoryStore(), { schema: createSchema(world) })
  const putMembership = ({ isFromUser, user, group, list, data }: Membership) => ({
    op: 'putEdge' as const,
    edge: {
      ...(isFromUser
        ? { source: user, name: 'groups' as const, target: group }
        : { source: group, name: 'people' as const, target: user }),
      parameters: { kind: list },
      ...(data && { data }),
    },
  })
  await graph.write([
    ...world.users.map(id => ({ op: 'putNode' as const, node: { id, type: 'user' as const, fields: {} } })),
    ...world.groups.map(id => ({ op: 'putNode' as const, node: { id, type: 'group' as const, fields: {} } })),
    ...world.parents.flatMap((parent, index) =>
      parent === undefined
        ? []
        : [{ op: 'patchNode' as const, id: world.groups[index] ?? '', fields: { parent } }],
    ),
    ...world.groups.map((target, time) => ({
      op: 'putEdge' as const,
      edge: { source: world.users[0] ?? '', name: 'feed' as const, target, time },
    })),
    ...world.memberships.map(putMembership),
  ])
  return graph
}

describe('rules with `where` and `parameters`', () => {
  it('equal the naive evaluation, for a node alone and in a list', async () => {
    const counts = { visible: 0, hidden: 0 }
    await fc.assert(
      fc.asyncProperty(worlds, async world => {
        const graph = await openWorld(world)
        for (const viewer of world.users) {
          const session = graph.session({ viewer, app: 'demo' })
          const expected = world.groups.filter(group => isVisible(world, group, viewer))
          const feed = await graph.getEdge(session, {
            id: world.users[0] ?? '',
            type: 'user',
            edge: 'feed',
            fields: 'id',
          })
          expect(feed.data.map(({ id }) => id).sort()).toEqual(expected)
          for (const id of world.groups) {
            const read = graph.getNode(session, { id, fields: 'id' }).catch(() => undefined)
            expect((await read) !== undefined).toBe(expected.includes(id))
          }
          counts.visible += expected.length
          counts.hidden += world.groups.length - expected.length
        }
      }),
      propertySettings(25, 1000),
    )
    expect(Math.min(counts.visible, counts.hidden)).toBeGreaterThan(10)
  })
})
