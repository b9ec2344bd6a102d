import fc, { type Arbitrary } from 'fast-check'
import type {
  EdgeSpec,
  EntryFieldSpec,
  FieldSpec,
  ParameterValues,
  SchemaSpec,
  TypeSpec,
  ValueKind,
} from './naive-graph/world.ts'

export const TYPES = ['person', 'place', 'thing']
/** The ids of nodes. Their order as integers differs from their order as text and as doubles. */
export const IDS = ['1', '2', '9', '10', '11', '9007199254740992', '9007199254740993', '9223372036854775807']
export const SCOPES = ['first', 'second']

/**
 * The kind of value of each field name. It is the same in all types, because types that share an edge or ref
 * must agree on it.
 */
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
  day: 'date',
  tree: 'json',
}

export const mapValues = <T, U>(
  members: { readonly [name: string]: T },
  make: (member: T, name: string) => U,
): { readonly [name: string]: U } =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, make(member, name)]))

/** The edge field that each field about the viewer's own edge returns. Without one, it is whether the edge exists. */
export const VIEWER_EDGE_FIELDS: { readonly [name: string]: string | undefined } = {
  liked: undefined,
  my_role: 'role',
  my_time: 'linked',
}

/** A value that is defined in only one of `of` cases. */
export const rarely = <T>(value: Arbitrary<T>, of: number): Arbitrary<T | undefined> =>
  fc.oneof({ weight: of - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })

/** Removes members that are undefined, so that counterexamples are short. */
export const omitUndefined = <T extends object>(value: T): T =>
  Object.assign(
    {},
    ...Object.entries(value).flatMap(([key, member]) => (member === undefined ? [] : [{ [key]: member }])),
  )

const scope = rarely(fc.constantFrom(...SCOPES), 6)

const flags = fc.record({
  default: fc.boolean(),
  scope,
  versions: rarely(
    fc.constantFrom(
      { since: 'v2.3' },
      { removedIn: 'v2.3' },
      { since: 'v2.12' },
      { since: 'v2.3', removedIn: 'v2.12' },
    ),
    8,
  ),
})

/** Values of parameters that choose a list, of which `fitSchema` keeps those that the edge accepts. */
export const listValues: Arbitrary<ParameterValues> = fc
  .record({ kind: fc.constantFrom('plain', 'other', 'more'), live: rarely(fc.boolean(), 2) })
  .map(omitUndefined)

const withFlags = (kind: Arbitrary<FieldSpec>): Arbitrary<FieldSpec> =>
  fc
    .tuple(flags, kind)
    .map(([{ versions, ...flag }, spec]) => omitUndefined({ ...spec, ...flag, ...versions }))

type ViewerEdgeSpec = Extract<FieldSpec, { readonly kind: 'viewerEdge' }>

const targets: Arbitrary<readonly string[]> = fc.subarray(TYPES, { minLength: 1 })

/**
 * A ref is a default field only if it leads to later types, so that default fields have no cycle, and if it
 * has no scope, because a schema rejects default refs with a scope.
 */
const refFields = (own: number): Arbitrary<FieldSpec> =>
  withFlags(targets.map(targets => ({ kind: 'ref', targets }))).map(spec => {
    const leadsToLater = spec.kind === 'ref' && spec.targets.every(target => TYPES.indexOf(target) > own)
    return { ...spec, default: spec.default && leadsToLater && spec.scope === undefined }
  })

const entryFieldSpecs: Arbitrary<{ readonly [name: string]: EntryFieldSpec }> = fc.record(
  {
    linked: scope.map(scope => omitUndefined({ kind: 'edgeTime', scope })),
    role: scope.map(scope => omitUndefined({ kind: 'role', scope })),
  },
  { requiredKeys: [], noNullPrototype: true },
)

const FIELD_NAMES = [
  'id',
  'linked',
  'role',
  ...Object.keys(VALUE_FIELDS),
  'owner',
  'origin',
  ...Object.keys(VIEWER_EDGE_FIELDS),
  'computed',
]

const edge: Arbitrary<EdgeSpec> = fc
  .record({
    targets,
    order: fc.constantFrom('reverse_chronological', 'chronological'),
    scope,
    defaults: rarely(fc.shuffledSubarray(FIELD_NAMES, { maxLength: 5 }), 3),
    fields: entryFieldSpecs,
  })
  .map(omitUndefined)

const typeSpecs = (own: number): Arbitrary<TypeSpec> =>
  fc.record({
    fields: fc.record(
      {
        ...Object.fromEntries(
          Object.entries(VALUE_FIELDS).map(([name, of]) => [
            name,
            withFlags(
              rarely(fc.constant(true), 4).map(required => omitUndefined({ kind: 'value', of, required })),
            ),
          ]),
        ),
        computed: withFlags(fc.constant({ kind: 'computed' })),
        owner: refFields(own),
        origin: refFields(own),
        ...mapValues(VIEWER_EDGE_FIELDS, field =>
          withFlags(
            rarely(listValues, 2).map(parameters =>
              omitUndefined({ kind: 'viewerEdge', edge: 'likes', field, parameters }),
            ),
          ),
        ),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
    edges: fc.record(
      { likes: edge, parts: edge, kin: edge },
      { requiredKeys: ['likes'], noNullPrototype: true },
    ),
  })

export const EMPTY_TYPE: TypeSpec = { fields: {}, edges: {} }

/** Returns the given names that are declared types, or the first type if none is declared. */
const declaredTargets = (types: SchemaSpec['types'], names: readonly string[]): readonly string[] => {
  const declared = names.filter(name => name in types)
  return declared.length > 0 ? declared : TYPES.slice(0, 1)
}

const isViewerEdgeValid = (edges: TypeSpec['edges'], { edge, field }: ViewerEdgeSpec): boolean =>
  edge in edges && (field === undefined || field in (edges[edge]?.fields ?? {}))

const toValidFields = (types: SchemaSpec['types'], { fields, edges }: TypeSpec): TypeSpec['fields'] =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]): readonly (readonly [string, FieldSpec])[] => {
      if (field.kind === 'viewerEdge') return isViewerEdgeValid(edges, field) ? [[name, field]] : []
      if (field.kind !== 'ref') return [[name, field]]
      const targets = declaredTargets(types, field.targets)
      return [[name, { ...field, targets, default: field.default && `${targets}` === `${field.targets}` }]]
    }),
  )

/** Removes targets, viewer edges and defaults that the schema does not declare. */
const toValidTypes = (types: SchemaSpec['types']): SchemaSpec['types'] => {
  const isDefault = ({ fields, targets }: EdgeSpec, name: string): boolean => {
    if (name === 'id' || name in fields) return true
    const found = targets.flatMap(target => toValidFields(types, types[target] ?? EMPTY_TYPE)[name] ?? [])
    return found.length > 0 && found.every(field => field.kind !== 'ref' || field.scope === undefined)
  }
  return Object.fromEntries(
    Object.entries(types).map(([name, type]) => {
      const edges = Object.entries(type.edges).map(([key, edge]) => {
        const targets = declaredTargets(types, edge.targets)
        const symmetric = key === 'kin' && `${targets}` === name ? true : undefined
        const defaults = edge.defaults?.filter(field => isDefault({ ...edge, targets }, field))
        return [key, omitUndefined({ ...edge, targets, symmetric, defaults })]
      })
      return [name, { fields: toValidFields(types, type), edges: Object.fromEntries(edges) }]
    }),
  )
}

/** Adds `whole` as the mirror of each edge `parts`. */
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
export const schemaSpecs: Arbitrary<SchemaSpec> = fc
  .record({
    types: fc.tuple(...TYPES.map((_, own) => typeSpecs(own))),
    count: fc.integer({ min: 1, max: TYPES.length }),
    viewers: targets,
    inverse: fc.boolean(),
  })
  .map(({ types: specs, count, viewers, inverse }) => {
    const types = Object.fromEntries(
      TYPES.slice(0, count).map((type, index) => [type, specs[index] ?? EMPTY_TYPE]),
    )
    const declared = toValidTypes(types)
    return { types: inverse ? withInverse(declared) : declared, viewers: declaredTargets(types, viewers) }
  })
