import fc, { type Arbitrary } from 'fast-check'
import { ROOT } from './naive-graph/collections.ts'
import type { PolicySpec, RuleSpec } from './naive-graph/policies.ts'
import type {
  EdgeSpec,
  EntryFieldSpec,
  FieldSpec,
  KeyField,
  OrderSpec,
  SchemaSpec,
  TypeSpec,
} from './naive-graph/world.ts'
import { edgeParameters, withReadable } from './parameter-arbitraries.ts'
import { IDS, mapValues, omitUndefined, rarely, SCOPES, TYPES, VALUE_FIELDS } from './schema-arbitraries.ts'

/** How many schemas have something. */
export type Share = 'none' | 'some' | 'all'

/** Adds something to a third of the schemas, or to all of them. */
const addTo = <T>(
  schemas: Arbitrary<SchemaSpec>,
  share: Share,
  choices: Arbitrary<T>,
  add: (schema: SchemaSpec, chosen: T) => SchemaSpec,
): Arbitrary<SchemaSpec> => {
  if (share === 'none') return schemas
  const chosen: Arbitrary<T | undefined> = share === 'all' ? choices : rarely(choices, 3)
  return fc.tuple(schemas, chosen).map(([schema, one]) => (one === undefined ? schema : add(schema, one)))
}

const orderSpec: Arbitrary<OrderSpec> = fc.oneof(
  { weight: 1, arbitrary: fc.constant('time') },
  {
    weight: 5,
    arbitrary: fc
      .record({
        by: fc.constantFrom<KeyField>('rank', 'rank', 'at', 'stamp'),
        direction: fc.constantFrom('ascending', 'descending', undefined),
      })
      .map(omitUndefined),
  },
)

/** The names of declared orders. */
export const ORDERS = ['top', 'soon', 'late']

const edgeOrders = fc.record({
  orders: fc.record(
    { top: orderSpec, soon: orderSpec, late: orderSpec },
    { requiredKeys: ['top'], noNullPrototype: true },
  ),
  order: rarely(fc.constantFrom(...ORDERS), 3),
})

type EdgeOrders = typeof edgeOrders extends Arbitrary<infer T> ? T : never

const addOrders = (edge: EdgeSpec, { orders, order }: EdgeOrders): EdgeSpec => {
  const keys = Object.values(orders).flatMap(one => (one === 'time' ? [] : [one.by]))
  const fields = keys.map((kind): readonly [string, EntryFieldSpec] => [kind, { kind }])
  return {
    ...edge,
    orders,
    order: order !== undefined && Object.hasOwn(orders, order) ? order : edge.order,
    fields: { linked: { kind: 'edgeTime' }, ...edge.fields, ...Object.fromEntries(fields) },
  }
}

/** The orders of each edge of each type. The two sides of a mirrored edge have different ones. */
const orderChoices = fc.array(fc.option(edgeOrders, { nil: undefined, freq: 3 }), {
  minLength: TYPES.length * 4,
  maxLength: TYPES.length * 4,
})

/** Adds orders, and the fields that they need, to the edges of schemas. */
export const withOrders = (schemas: Arbitrary<SchemaSpec>, share: Share = 'some'): Arbitrary<SchemaSpec> =>
  addTo(schemas, share, orderChoices, (schema, choices) => {
    let next = 0
    const types = mapValues(schema.types, type => ({
      ...type,
      edges: mapValues(type.edges, edge => {
        const chosen = choices[next++]
        return chosen === undefined ? edge : addOrders(edge, chosen)
      }),
    }))
    return { ...schema, types }
  })

/** The rules that the policy of a collection may have. */
const rootRule: Arbitrary<RuleSpec> = fc.oneof(
  fc.constantFrom(...SCOPES).map((scope): RuleSpec => ({ rule: 'hasScope', scope })),
  fc.record({
    rule: fc.constant('listed'),
    ids: fc.constantFrom([ROOT], IDS.slice(0, 1)),
    decision: fc.constantFrom('allow', 'deny'),
  }),
)

const rootPolicy: Arbitrary<PolicySpec> = fc
  .tuple(
    fc.array(
      fc.oneof(
        rootRule,
        rootRule.map((member): RuleSpec => ({ rule: 'not', member })),
      ),
      {
        maxLength: 2,
      },
    ),
    fc.boolean(),
  )
  .map(([rules, open]) => (open ? [...rules, { rule: 'everyone' }] : rules))

const collectionSpec = fc
  .record({
    targets: fc.subarray(TYPES, { minLength: 1 }),
    by: fc.constantFrom(undefined, 'count', 'count', 'made', 'seen'),
    order: fc.constantFrom('chronological', 'reverse_chronological'),
    scope: rarely(fc.constantFrom(...SCOPES), 6),
    policy: rarely(rootPolicy, 4),
    defaults: rarely(fc.constantFrom<readonly string[]>(['id'], []), 5),
    edge: rarely(edgeParameters, 3),
  })
  .map(({ by, edge, ...options }): EdgeSpec => {
    const { parameters, where } = edge ?? {}
    return omitUndefined({ ...options, parameters, where, collection: { by }, fields: {} })
  })

/** Collections. One may have the name of an edge. */
const collectionChoices = fc.record(
  { everything: collectionSpec, likes: collectionSpec, sorted: collectionSpec },
  { requiredKeys: ['everything'], noNullPrototype: true },
)

/** Makes the fields that order collections required, without scope and policy. */
const withKeyFields = (type: TypeSpec, names: readonly string[]): TypeSpec => {
  const fields = names.map((name): readonly [string, FieldSpec] => {
    const { scope: _, policy: _policy, ...flags } = type.fields[name] ?? {}
    return [name, { ...flags, kind: 'value', of: VALUE_FIELDS[name] ?? 'int', required: true }]
  })
  return { ...type, fields: { ...type.fields, ...Object.fromEntries(fields) } }
}

/** Adds the type `root` with collections to schemas. */
export const withCollections = (
  schemas: Arbitrary<SchemaSpec>,
  { share = 'some', hasPolicies }: { readonly share?: Share | undefined; readonly hasPolicies: boolean },
): Arbitrary<SchemaSpec> =>
  addTo(schemas, share, collectionChoices, (schema, chosen) => {
    const declared = mapValues(chosen, ({ policy, ...edge }) => {
      const targets = edge.targets.filter(target => target in schema.types)
      return {
        ...edge,
        ...(hasPolicies && policy && { policy }),
        targets: targets.length > 0 ? targets : Object.keys(schema.types).slice(0, 1),
      }
    })
    const types = mapValues(schema.types, (type, name) =>
      withKeyFields(
        type,
        Object.values(declared).flatMap(({ targets, collection }) =>
          targets.includes(name) && collection?.by !== undefined ? [collection.by] : [],
        ),
      ),
    )
    const collections = mapValues(declared, edge => withReadable({ ...schema, types }, edge))
    return { ...schema, types: { ...types, [ROOT]: { fields: {}, edges: collections } } }
  })
