import fc, { type Arbitrary } from 'fast-check'
import type { PolicySpec, RuleSpec } from './naive-graph/policies.ts'
import type { SchemaSpec } from './naive-graph/world.ts'
import { compact, IDS, mapValues, SCOPES, TYPES } from './schema-arbitraries.ts'
import { SoundRules } from './sound-rules.ts'

/** Fields that records differ in, each with a value that some of them have. */
const condition = fc.constantFrom<{ field: string; value: string | boolean }>(
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

const asking: Arbitrary<RuleSpec> = fc.oneof(
  of.map((of): RuleSpec => ({ rule: 'isViewer', of })),
  fc.record({ rule: fc.constantFrom('viewerHasEdge', 'hasEdgeToViewer'), edge, of }),
  edge.map((edge): RuleSpec => ({ rule: 'mutual', edge })),
)

const simple: Arbitrary<RuleSpec> = fc.oneof(
  { weight: 3, arbitrary: asking },
  { weight: 2, arbitrary: listed },
  fc.constantFrom(...SCOPES).map((scope): RuleSpec => ({ rule: 'hasScope', scope })),
  condition.map((one): RuleSpec => ({ rule: 'fieldEquals', ...one })),
  condition.map((one): RuleSpec => ({ rule: 'denied', ...one })),
)

const broken: Arbitrary<RuleSpec> = fc
  .tuple(condition, fc.constantFrom('tests', 'decide'))
  .map(([one, when]): RuleSpec => ({ rule: 'broken', ...one, when }))

const members = fc.array(simple, { minLength: 1, maxLength: 3 })

const rule: Arbitrary<RuleSpec> = fc.oneof(
  { weight: 6, arbitrary: simple },
  fc.record({ rule: fc.constantFrom('anyOf', 'allOf'), members }),
  fc.oneof(simple, broken).map((member): RuleSpec => ({ rule: 'not', member })),
  fc
    .tuple(members, fc.constantFrom('anyOf', 'allOf'))
    .map(([members, rule]): RuleSpec => ({ rule: 'not', member: { rule, members } })),
  broken,
)

/** A few rules, often with one behind them that lets all through who are left. */
export const policySpec: Arbitrary<PolicySpec> = fc
  .tuple(fc.array(rule, { maxLength: 3 }), fc.boolean())
  .map(([rules, open]) => (open ? [...rules, { rule: 'everyone' }] : rules))

type Placed = { readonly type: number; readonly member: number; readonly policy: PolicySpec }

const placed: Arbitrary<Placed> = fc.record({ type: fc.nat(2), member: fc.nat(15), policy: policySpec })

/** Puts policies on types, edges and fields of a schema, and makes some of its types app-scoped. */
export const policed = (schemas: Arbitrary<SchemaSpec>): Arbitrary<SchemaSpec> =>
  fc
    .record({
      schema: schemas,
      types: fc.tuple(...TYPES.map(() => fc.option(policySpec, { nil: undefined, freq: 5 }))),
      edges: fc.array(placed, { maxLength: 6, size: 'max' }),
      fields: fc.array(placed, { maxLength: 10, size: 'max' }),
      scoped: fc.subarray(TYPES),
    })
    .map(({ schema, types, edges, fields, scoped }) => {
      const rules = new SoundRules(schema)
      /** Gives those of a type's edges or fields a policy that the places are about. */
      const put = <T extends object>(
        type: string,
        members: { readonly [name: string]: T },
        places: readonly Placed[],
      ): { readonly [name: string]: T } => {
        const names = Object.keys(members)
        const policies = new Map(
          places
            .filter(place => TYPES[place.type] === type)
            .map(place => [names[place.member % names.length], rules.policy(type, place.policy)]),
        )
        return mapValues(members, (member, name) => compact({ ...member, policy: policies.get(name) }))
      }
      return {
        ...schema,
        types: mapValues(schema.types, (spec, type) =>
          compact({
            policy: rules.policy(type, types[TYPES.indexOf(type)]),
            appScoped: scoped.includes(type) || undefined,
            fields: put(type, spec.fields, fields),
            edges: put(type, spec.edges, edges),
          }),
        ),
      }
    })
