import fc, { type Arbitrary } from 'fast-check'
import type { IdKind } from '../../src/base/ids.ts'
import type { EdgeRecord } from '../../src/store/contract.ts'
import { keepLastOfEach } from './graph-arbitraries.ts'
import { chooseIdKinds, idOf, kindOfWorld, withIdKind } from './id-kinds.ts'
import type { PolicySpec, RuleSpec } from './naive-graph/policies.ts'
import { type EdgeSpec, type FieldSpec, listNameOf, type TypeSpec, type World } from './naive-graph/world.ts'
import { omitUndefined, rarely } from './schema-arbitraries.ts'

const VIEWER = '1'
const SHELF = '2'

/**
 * Returns the id of the node whose list `items` contains all nodes that inherit, and whose pins lead to all of them
 * by a ref.
 */
export const shelfOf = (world: Pick<World, 'schema'>): string => idOf(kindOfWorld(world), 'shelf', SHELF)

/** The types of nodes whose policies inherit from each other, in circles too. */
export const INHERITING_TYPES = ['comment', 'post', 'photo', 'group']
const REFS = ['owner', 'origin']
const FIRST_ID = 100
const FIRST_PIN_ID = 1000

/** An edge with a role, in a stored list for each kind. */
const edgeWithRole = (...targets: readonly string[]): EdgeSpec => ({
  targets,
  order: 'chronological',
  fields: { role: { kind: 'role' }, linked: { kind: 'edgeTime' } },
  parameters: { kind: { kind: 'enum', words: ['plain', 'other'], default: 'plain' } },
  list: ['kind'],
})

const MEMBERS = edgeWithRole('person')
const FOLLOWS = edgeWithRole(...INHERITING_TYPES)

const listValues = rarely(fc.constantFrom({ kind: 'plain' }, { kind: 'other' }), 2)

const edgeRules: Arbitrary<RuleSpec> = fc
  .record({
    one: fc.constantFrom(
      { rule: 'hasEdgeToViewer', edge: 'members' } as const,
      { rule: 'viewerHasEdge', edge: 'follows' } as const,
    ),
    of: rarely(fc.constant('owner'), 4),
    where: rarely(fc.constantFrom({ role: 'host' }, { role: 'guest' }, { role: ['guest', 'host'] }, {}), 2),
    parameters: listValues,
  })
  .map(({ one, ...options }) => omitUndefined({ ...one, ...options }))

const simpleRules: Arbitrary<RuleSpec> = fc.oneof(
  { weight: 3, arbitrary: edgeRules },
  fc.constantFrom(...REFS).map((ref): RuleSpec => ({ rule: 'isViewer', of: ref })),
  fc.record({
    rule: fc.constant('listed'),
    ids: fc.subarray(Array.from({ length: 12 }, (_, index) => `${FIRST_ID + index}`)),
    decision: fc.constantFrom('allow', 'deny'),
  }),
  edgeRules.map((member): RuleSpec => ({ rule: 'not', member })),
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

/** The rule of nodes that only a few viewers see by themselves, which makes chains of refs long. */
const chainPolicies: Arbitrary<PolicySpec> = edgeRules.map(rule => [rule, { rule: 'canSee', ref: 'owner' }])

const policies: Arbitrary<PolicySpec | undefined> = fc.option(
  fc.oneof(fc.array(rules, { maxLength: 3 }), chainPolicies),
  { nil: undefined, freq: 6 },
)

const edgeTo = (...targets: readonly string[]): EdgeSpec => ({
  targets,
  order: 'chronological',
  fields: {},
})

const refTo = (...targets: readonly string[]): FieldSpec => ({ kind: 'ref', targets })

/** What the policies of edges and fields are, and which list the fields about the viewer's own edge read. */
const choices = fc.record({
  members: rarely(fc.array(rules, { maxLength: 2 }), 3),
  role: rarely(fc.array(rules, { maxLength: 2 }), 3),
  parameters: listValues,
})

type Choices = typeof choices extends Arbitrary<infer T> ? T : never

const createTypes = (
  typePolicies: readonly (PolicySpec | undefined)[],
  { members, role, parameters }: Choices,
): { readonly [name: string]: TypeSpec } => ({
  ...Object.fromEntries(
    INHERITING_TYPES.map((type, index): [string, TypeSpec] => [
      type,
      {
        // One type always inherits, so each level of an expression may take the reads of `canSee`.
        policy:
          index === 0 ? [{ rule: 'canSee', ref: 'owner' }, ...(typePolicies[0] ?? [])] : typePolicies[index],
        fields: {
          owner: refTo(...INHERITING_TYPES),
          origin: refTo(...INHERITING_TYPES, 'person'),
          is_member: { kind: 'viewerEdge', edge: 'members', parameters },
          my_role: { kind: 'viewerEdge', edge: 'members', field: 'role', parameters, policy: role },
          my_time: { kind: 'viewerEdge', edge: 'members', field: 'linked' },
        },
        edges: { members: omitUndefined({ ...MEMBERS, policy: members }) },
      },
    ]),
  ),
  person: { fields: {}, edges: { follows: FOLLOWS } },
  shelf: { fields: {}, edges: { items: edgeTo(...INHERITING_TYPES), pins: edgeTo('pin') } },
  pin: { fields: { to: refTo(...INHERITING_TYPES) }, edges: {} },
})

const membership = rarely(
  fc.record({ kind: fc.constantFrom('plain', 'other'), role: fc.constantFrom('guest', 'host', undefined) }),
  2,
)

type Membership = typeof membership extends Arbitrary<infer T> ? T : never

/** Refs lead to any node, to no node, or to the node itself. */
const nodeSeeds = fc.record({
  type: fc.constantFrom(...INHERITING_TYPES),
  owner: fc.nat(13),
  origin: fc.nat(13),
  members: membership,
  follows: membership,
})

const createEdge = (
  source: string,
  name: string,
  target: string,
  membership: Membership,
): readonly EdgeRecord[] => {
  if (membership === undefined) return []
  const { kind, role } = membership
  const list = listNameOf(name, MEMBERS, { kind })
  return [{ source, name: list, target, time: 1000, ...(role && { data: { role } }) }]
}

/**
 * Worlds whose nodes inherit their visibility from each other, in chains and circles, and whose rules test the roles
 * of edges in several stored lists. `ids` is the only kind of their ids; by default, they have either kind.
 */
export const createInheritingWorlds = (ids?: IdKind): Arbitrary<World> =>
  fc
    .record({
      typePolicies: fc.tuple(...INHERITING_TYPES.map(() => policies)),
      choices,
      /** The policies of worlds whose nodes are a chain: the owner of each node is the next one. */
      chain: fc.option(fc.tuple(...INHERITING_TYPES.map(() => chainPolicies)), { nil: undefined, freq: 2 }),
      kind: chooseIdKinds(ids),
      seeds: fc.array(nodeSeeds, { minLength: 1, maxLength: 12, size: 'max' }),
    })
    .map(({ typePolicies, choices, chain, kind, seeds }) => {
      const ids = seeds.map((_, index) => `${FIRST_ID + index}`)
      const refOf = (index: number): string => ids[index] ?? (index % 2 === 0 ? VIEWER : '404')
      const nodes = seeds.map(({ type, owner, origin }, index) => ({
        id: `${FIRST_ID + index}`,
        type,
        fields: { owner: refOf(chain === undefined ? owner : index + 1), origin: refOf(origin) },
      }))
      const pins = ids.map((to, index) => ({ id: `${FIRST_PIN_ID + index}`, type: 'pin', fields: { to } }))
      const edges = [
        ...ids.map(target => ({ source: SHELF, name: 'items', target, time: 0 })),
        ...pins.map(({ id: target }) => ({ source: SHELF, name: 'pins', target, time: 0 })),
        ...seeds.flatMap(({ members, follows }, index) => [
          ...createEdge(`${FIRST_ID + index}`, 'members', VIEWER, members),
          ...createEdge(VIEWER, 'follows', `${FIRST_ID + index}`, follows),
        ]),
      ]
      return withIdKind(kind, {
        schema: { types: createTypes(chain ?? typePolicies, choices), viewers: ['person'] },
        nodes: [
          { id: VIEWER, type: 'person', fields: {} },
          { id: SHELF, type: 'shelf', fields: {} },
          ...nodes,
          ...pins,
        ],
        edges: keepLastOfEach(edges),
        viewer: VIEWER,
        scopes: [],
      })
    })

export const inheritingWorlds = createInheritingWorlds()
