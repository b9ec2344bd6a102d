import fc, { type Arbitrary } from 'fast-check'
import type {
  EdgeSpec,
  EntryFieldSpec,
  FieldSpec,
  SchemaSpec,
  TypeSpec,
  ValueKind,
} from './naive-graph/world.ts'

export const TYPES = ['person', 'place', 'thing']
/** The ids of nodes. Some would be in another order as text or as doubles. */
export const IDS = ['1', '2', '9', '10', '11', '9007199254740992', '9007199254740993', '9223372036854775807']
export const SCOPES = ['first', 'second']

/** A name means one kind of value on all types, as a schema requires where types are answered as one. */
export const VALUE_FIELDS: { readonly [name: string]: ValueKind } = {
  title: 'string',
  live: 'bool',
  count: 'int',
  ratio: 'float',
  code: 'numericString',
  site: 'url',
  mood: 'enum',
  tags: 'list',
  made: 'datetime',
  seen: 'unixtime',
  born: 'birthday',
}

export const mapValues = <T, U>(
  members: { readonly [name: string]: T },
  make: (member: T, name: string) => U,
): { readonly [name: string]: U } =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, make(member, name)]))

/** A member that is there one time in `of`. */
const seldom = <T>(value: Arbitrary<T>, of: number): Arbitrary<T | undefined> =>
  fc.oneof({ weight: of - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })

/** Leaves out members that are undefined, so that counterexamples are short. */
export const compact = <T extends object>(value: T): T =>
  Object.assign(
    {},
    ...Object.entries(value).flatMap(([key, member]) => (member === undefined ? [] : [{ [key]: member }])),
  )

const scope = seldom(fc.constantFrom(...SCOPES), 6)

const flags = fc.record({
  default: fc.boolean(),
  scope,
  versions: seldom(
    fc.constantFrom(
      { since: 'v2.3' },
      { removedIn: 'v2.3' },
      { since: 'v2.12' },
      { since: 'v2.3', removedIn: 'v2.12' },
    ),
    8,
  ),
})

const flagged = (kind: Arbitrary<FieldSpec>): Arbitrary<FieldSpec> =>
  fc.tuple(flags, kind).map(([{ versions, ...flag }, spec]) => compact({ ...spec, ...flag, ...versions }))

const targets: Arbitrary<readonly string[]> = fc.subarray(TYPES, { minLength: 1 })

/** A default ref leads to later types only, so that defaults have an end; it has no scope, so that they are no fault. */
const refFrom = (own: number): Arbitrary<FieldSpec> =>
  flagged(targets.map(targets => ({ kind: 'ref', targets }))).map(spec => {
    const leadsOn = spec.kind === 'ref' && spec.targets.every(target => TYPES.indexOf(target) > own)
    return { ...spec, default: spec.default && leadsOn && spec.scope === undefined }
  })

const entryFields: Arbitrary<{ readonly [name: string]: EntryFieldSpec }> = fc.record(
  {
    linked: scope.map(scope => compact({ kind: 'edgeTime', scope })),
    role: scope.map(scope => compact({ kind: 'role', scope })),
  },
  { requiredKeys: [], noNullPrototype: true },
)

const NAMES = ['id', 'linked', 'role', ...Object.keys(VALUE_FIELDS), 'owner', 'origin', 'liked', 'computed']

const edge: Arbitrary<EdgeSpec> = fc
  .record({
    targets,
    order: fc.constantFrom('reverse_chronological', 'chronological'),
    scope,
    defaults: seldom(fc.shuffledSubarray(NAMES, { maxLength: 5 }), 3),
    fields: entryFields,
  })
  .map(compact)

const typeAt = (own: number): Arbitrary<TypeSpec> =>
  fc.record({
    fields: fc.record(
      {
        ...Object.fromEntries(
          Object.entries(VALUE_FIELDS).map(([name, of]) => [
            name,
            flagged(seldom(fc.constant(true), 4).map(required => compact({ kind: 'value', of, required }))),
          ]),
        ),
        computed: flagged(fc.constant({ kind: 'computed' })),
        owner: refFrom(own),
        origin: refFrom(own),
        liked: flagged(fc.constant({ kind: 'viewerEdge', edge: 'likes' })),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
    edges: fc.record(
      { likes: edge, parts: edge, kin: edge },
      { requiredKeys: ['likes'], noNullPrototype: true },
    ),
  })

export const EMPTY: TypeSpec = { fields: {}, edges: {} }

/** The types that are declared, or the one that always is. */
const known = (types: SchemaSpec['types'], names: readonly string[]): readonly string[] => {
  const declared = names.filter(name => name in types)
  return declared.length > 0 ? declared : TYPES.slice(0, 1)
}

const soundFields = (types: SchemaSpec['types'], { fields, edges }: TypeSpec): TypeSpec['fields'] =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]): readonly (readonly [string, FieldSpec])[] => {
      if (field.kind === 'viewerEdge' && !(field.edge in edges)) return []
      if (field.kind !== 'ref') return [[name, field]]
      const targets = known(types, field.targets)
      return [[name, { ...field, targets, default: field.default && `${targets}` === `${field.targets}` }]]
    }),
  )

/** Leaves out what needs something that is not there: types, the edge of a viewer's edge, the fields of defaults. */
const sound = (types: SchemaSpec['types']): SchemaSpec['types'] => {
  const isDefault = ({ fields, targets }: EdgeSpec, name: string): boolean => {
    if (name === 'id' || name in fields) return true
    const found = targets.flatMap(target => soundFields(types, types[target] ?? EMPTY)[name] ?? [])
    return found.length > 0 && found.every(field => field.kind !== 'ref' || field.scope === undefined)
  }
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => {
      const edges = Object.entries(type.edges).map(([key, edge]) => {
        const targets = known(types, edge.targets)
        const symmetric = key === 'kin' && `${targets}` === name ? true : undefined
        const defaults = edge.defaults?.filter(field => isDefault({ ...edge, targets }, field))
        return [key, compact({ ...edge, targets, symmetric, defaults })]
      })
      return [name, { fields: soundFields(types, type), edges: Object.fromEntries(edges) }]
    }),
  )
}

/** The mirrors of `parts`, where there are any: each part knows its `whole`. */
const withInverse = (types: SchemaSpec['types']): SchemaSpec['types'] => {
  const ownersOf = (part: string) =>
    Object.keys(types).filter(type => types[type]?.edges.parts?.targets.includes(part))
  return Object.fromEntries(
    Object.entries(types).map(([name, { fields, edges }]) => {
      const { parts, ...others } = edges
      const owners = ownersOf(name)
      const whole: EdgeSpec = { targets: owners, order: 'chronological', inverse: 'parts', fields: {} }
      const mirrored = { ...others, ...(parts && { parts: { ...parts, inverse: 'whole' } }) }
      return [name, { fields, edges: owners.length === 0 ? mirrored : { ...mirrored, whole } }]
    }),
  )
}

/** Schemas of up to three types that refer to each other. */
export const schemaSpec: Arbitrary<SchemaSpec> = fc
  .record({
    types: fc.tuple(...TYPES.map((_, own) => typeAt(own))),
    count: fc.integer({ min: 1, max: TYPES.length }),
    viewers: targets,
    inverse: fc.boolean(),
  })
  .map(({ types: specs, count, viewers, inverse }) => {
    const types = Object.fromEntries(
      TYPES.slice(0, count).map((type, index) => [type, specs[index] ?? EMPTY]),
    )
    const declared = sound(types)
    return { types: inverse ? withInverse(declared) : declared, viewers: known(types, viewers) }
  })
