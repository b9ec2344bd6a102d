import fc, { type Arbitrary } from 'fast-check'
import type { PolicySpec, RuleSpec } from './naive-graph/policies.ts'
import type { SchemaSpec } from './naive-graph/world.ts'
import { PolicyFitter } from './policy-fitter.ts'
import { IDS, mapValues, omitUndefined, SCOPES, TYPES } from './schema-arbitraries.ts'

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

const checkingRules: Arbitrary<RuleSpec> = fc.oneof(
  of.map((of): RuleSpec => ({ rule: 'isViewer', of })),
  fc.record({ rule: fc.constantFrom('viewerHasEdge', 'hasEdgeToViewer'), edge, of }),
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

type PolicyPlacement = { readonly type: number; readonly member: number; readonly policy: PolicySpec }

const policyPlacements: Arbitrary<PolicyPlacement> = fc.record({
  type: fc.nat(2),
  member: fc.nat(15),
  policy: policySpec,
})

/** Adds policies to types, edges and fields of a schema, and makes some of its types app-scoped. */
export const withPolicies = (schemas: Arbitrary<SchemaSpec>): Arbitrary<SchemaSpec> =>
  fc
    .record({
      schema: schemas,
      types: fc.tuple(...TYPES.map(() => fc.option(policySpec, { nil: undefined, freq: 5 }))),
      edges: fc.array(policyPlacements, { maxLength: 6, size: 'max' }),
      fields: fc.array(policyPlacements, { maxLength: 10, size: 'max' }),
      scoped: fc.subarray(TYPES),
    })
    .map(({ schema, types, edges, fields, scoped }) => {
      const fitter = new PolicyFitter(schema)
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
            .map(placement => [
              names[placement.member % names.length],
              fitter.fitPolicy(type, placement.policy),
            ]),
        )
        return mapValues(members, (member, name) => omitUndefined({ ...member, policy: policies.get(name) }))
      }
      return {
        ...schema,
        types: mapValues(schema.types, (spec, type) =>
          omitUndefined({
            policy: fitter.fitPolicy(type, types[TYPES.indexOf(type)]),
            appScoped: scoped.includes(type) || undefined,
            fields: addPolicies(type, spec.fields, fields),
            edges: addPolicies(type, spec.edges, edges),
          }),
        ),
      }
    })
