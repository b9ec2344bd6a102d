import fc, { type Arbitrary } from 'fast-check'
import type { DataTest, PolicySpec, RuleSpec } from './naive-graph/policies.ts'
import type { EdgeSpec, FieldSpec, SchemaSpec } from './naive-graph/world.ts'
import { IDS, listValues, mapValues, omitUndefined, rarely, SCOPES, TYPES } from './schema-arbitraries.ts'

/** A field whose values differ between records, and one of its values. */
const fieldConditions = fc.constantFrom<{ field: string; value: string | boolean }>(
  { field: 'live', value: true },
  { field: 'live', value: false },
  { field: 'mood', value: 'calm' },
  { field: 'title', value: 'Ada' },
)

const edge = fc.constantFrom('likes', 'kin', 'parts', 'whole')

const of = fc.option(fc.constantFrom('owner', 'origin'), { nil: undefined, freq: 2 })

const listed = fc.record({
  rule: fc.constant('listed'),
  ids: fc.subarray(IDS, { minLength: 1 }),
  decision: fc.constantFrom('allow', 'deny'),
})

const VALUES: { readonly [field: string]: readonly (string | number)[] } = {
  role: ['guest', 'host'],
  rank: [0, 1],
  stamp: [0, 1],
}

/** Tests of the data of an edge, of which `fitSchema` keeps the fields that the edge has. */
const dataTest: Arbitrary<DataTest> = fc
  .record({
    role: fc.constantFrom<DataTest[string]>('guest', 'host', 'host', VALUES.role),
    rank: rarely(fc.constantFrom<DataTest[string]>(0, VALUES.rank), 3),
    stamp: rarely(fc.constantFrom<DataTest[string]>(0, VALUES.stamp), 4),
  })
  .map(omitUndefined)

const edgeRule: Arbitrary<RuleSpec> = fc
  .record({
    rule: fc.constantFrom('viewerHasEdge', 'hasEdgeToViewer'),
    edge,
    of,
    where: rarely(dataTest, 2),
    parameters: rarely(listValues, 2),
  })
  .map(omitUndefined)

const checkingRules: Arbitrary<RuleSpec> = fc.oneof(
  of.map((of): RuleSpec => ({ rule: 'isViewer', of })),
  edgeRule,
  edge.map((edge): RuleSpec => ({ rule: 'mutual', edge })),
)

const simpleRules: Arbitrary<RuleSpec> = fc.oneof(
  { weight: 3, arbitrary: checkingRules },
  { weight: 2, arbitrary: listed },
  fc.constantFrom(...SCOPES).map((scope): RuleSpec => ({ rule: 'hasScope', scope })),
  fieldConditions.map((one): RuleSpec => ({ rule: 'fieldEquals', ...one })),
  fieldConditions.map((one): RuleSpec => ({ rule: 'denied', ...one })),
)

const brokenRules: Arbitrary<RuleSpec> = fc
  .tuple(fieldConditions, fc.constantFrom('checks', 'decide'))
  .map(([one, when]): RuleSpec => ({ rule: 'broken', ...one, when }))

const members = fc.array(simpleRules, { minLength: 1, maxLength: 3 })

const inheritingRules = fc.constantFrom('owner', 'origin').map((ref): RuleSpec => ({ rule: 'canSee', ref }))

const rule: Arbitrary<RuleSpec> = fc.oneof(
  { weight: 6, arbitrary: simpleRules },
  { weight: 3, arbitrary: inheritingRules },
  fc.record({
    rule: fc.constantFrom('anyOf', 'allOf'),
    members: fc.array(fc.oneof({ weight: 3, arbitrary: simpleRules }, inheritingRules), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  fc.oneof(simpleRules, brokenRules).map((member): RuleSpec => ({ rule: 'not', member })),
  fc
    .tuple(members, fc.constantFrom('anyOf', 'allOf'))
    .map(([members, rule]): RuleSpec => ({ rule: 'not', member: { rule, members } })),
  brokenRules,
)

/** A few rules, often followed by one that allows everyone. */
export const policySpec: Arbitrary<PolicySpec> = fc
  .tuple(fc.array(rule, { maxLength: 3 }), fc.boolean())
  .map(([rules, open]) => (open ? [...rules, { rule: 'everyone' }] : rules))

/** A policy of ready-made rules that allow or skip. Where the schema lacks their edges, `fitSchema` replaces them. */
export const readyMadePolicy: Arbitrary<PolicySpec> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: edgeRule },
    { weight: 2, arbitrary: of.map((of): RuleSpec => ({ rule: 'isViewer', of })) },
    { weight: 4, arbitrary: fieldConditions.map((one): RuleSpec => ({ rule: 'fieldEquals', ...one })) },
    fc.constantFrom(...SCOPES).map((scope): RuleSpec => ({ rule: 'hasScope', scope })),
  ),
  { maxLength: 3, size: 'max' },
)

/** A policy whose nodes are visible to few viewers, and to those who see their owners. */
const inheritingPolicy: Arbitrary<PolicySpec> = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: edgeRule },
      fc.record({
        rule: fc.constant('listed'),
        ids: fc.constantFrom(...IDS).map(id => [id]),
        decision: fc.constant('allow'),
      }),
    ),
    rarely(simpleRules, 3),
  )
  .map(([base, other]) => [base, { rule: 'canSee', ref: 'owner' }, ...(other === undefined ? [] : [other])])

/** Gives each type a policy that inherits, the ref that it follows, and edges with roles. */
const inheritFrom = (schema: SchemaSpec, policies: readonly PolicySpec[]): SchemaSpec => {
  const owner: FieldSpec = { kind: 'ref', targets: Object.keys(schema.types) }
  const withRole = (edge: EdgeSpec): EdgeSpec => ({
    ...edge,
    fields: { ...edge.fields, role: { kind: 'role' } },
  })
  return {
    ...schema,
    types: mapValues(schema.types, ({ fields, edges, ...type }, name) => ({
      ...type,
      policy: policies[TYPES.indexOf(name)],
      fields: { ...fields, owner },
      edges: mapValues(edges, withRole),
    })),
  }
}

type PolicyPlacement = { readonly type: number; readonly member: number; readonly policy: PolicySpec }

const policyPlacements: Arbitrary<PolicyPlacement> = fc.record({
  type: fc.nat(2),
  member: fc.nat(15),
  policy: policySpec,
})

/**
 * Adds policies to types, edges and fields of a schema, and makes some of its types app-scoped. `fitSchema` makes
 * the policies valid.
 */
export const withPolicies = (schemas: Arbitrary<SchemaSpec>): Arbitrary<SchemaSpec> =>
  fc
    .record({
      schema: schemas,
      types: fc.tuple(...TYPES.map(() => fc.option(policySpec, { nil: undefined, freq: 5 }))),
      edges: fc.array(policyPlacements, { maxLength: 6, size: 'max' }),
      fields: fc.array(policyPlacements, { maxLength: 10, size: 'max' }),
      scoped: fc.subarray(TYPES),
      inheriting: rarely(fc.tuple(...TYPES.map(() => inheritingPolicy)), 3),
    })
    .map(({ schema, types, edges, fields, scoped, inheriting }) => {
      /** Adds the policies of placements to the edges or fields of a type. */
      const addPolicies = <T extends object>(
        type: string,
        members: { readonly [name: string]: T },
        placements: readonly PolicyPlacement[],
      ): { readonly [name: string]: T } => {
        const names = Object.keys(members)
        const policies = new Map(
          placements
            .filter(placement => TYPES[placement.type] === type)
            .map(({ member, policy }) => [names[member % names.length], policy]),
        )
        return mapValues(members, (member, name) => omitUndefined({ ...member, policy: policies.get(name) }))
      }
      const open = {
        ...schema,
        types: mapValues(schema.types, (spec, type) =>
          omitUndefined({
            policy: types[TYPES.indexOf(type)],
            appScoped: scoped.includes(type) || undefined,
            fields: addPolicies(type, spec.fields, fields),
            edges: addPolicies(type, spec.edges, edges),
          }),
        ),
      }
      return inheriting === undefined ? open : inheritFrom(open, inheriting)
    })
