import fc from 'fast-check'
import { namedId } from 'kithgraph'
import { type IdKind, idKindOf } from '../../src/base/ids.ts'
import { ROOT } from './naive-graph/collections.ts'
import type { PolicySpec, RuleSpec } from './naive-graph/policies.ts'
import type { SchemaSpec, TypeSpec, World } from './naive-graph/world.ts'

export const ID_KINDS: readonly IdKind[] = ['digits', 'named']

/** The kind of the ids of a property. Each kind has about half of its runs. */
export const idKinds = fc.constantFrom(...ID_KINDS)

/** The kinds of ids for stores that have only one kind, or both by default. */
export const chooseIdKinds = (only?: IdKind): fc.Arbitrary<IdKind> =>
  only === undefined ? idKinds : fc.constant(only)

/** Returns the id of a node by its digits. */
export const idOf = (kind: IdKind, type: string, digits: string): string =>
  kind === 'digits' ? digits : namedId(type, digits)

/** Returns the digits of an id that `idOf` returned. */
export const digitsOf = (id: string): string => id.slice(id.indexOf('-') + 1)

/** Returns the kind of the ids of a list: that of its targets. An empty list has digits. */
export const kindOfList = (list: readonly { readonly target: string }[]): IdKind => {
  const [first] = list
  return first === undefined ? 'digits' : idKindOf(first.target)
}

/** Returns the kind of the ids of a world. */
export const kindOfWorld = ({ schema }: Pick<World, 'schema'>): IdKind => schema.ids ?? 'digits'

const typesOf = ({ types }: SchemaSpec): readonly string[] => Object.keys(types).filter(type => type !== ROOT)

export const firstTypeOf = (schema: SchemaSpec): string => typesOf(schema)[0] ?? ''

/** Returns all ids with some digits that a node of a world can have: one for each of its types. */
export const possibleIdsOf = (world: Pick<World, 'schema'>, digits: string): readonly string[] => [
  ...new Set(typesOf(world.schema).map(type => idOf(kindOfWorld(world), type, digits))),
]

/** Returns the id of the node with some digits. A missing node has the first type. */
export const findIdOf = ({ schema, nodes }: Pick<World, 'schema' | 'nodes'>, digits: string): string =>
  nodes.find(({ id }) => digitsOf(id) === digits)?.id ??
  idOf(kindOfWorld({ schema }), firstTypeOf(schema), digits)

/** Returns an id of the kind of a world that no node has. */
export const missingIdOf = ({ schema }: Pick<World, 'schema'>): string =>
  findIdOf({ schema, nodes: [] }, '404')

type ChangeId = (id: string) => string

const changeMembers = <T>(members: { readonly [name: string]: T }, change: (member: T) => T) =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member)]))

const changeRule = (rule: RuleSpec, changeId: ChangeId): RuleSpec => {
  if (rule.rule === 'listed') return { ...rule, ids: rule.ids.map(changeId) }
  if ('members' in rule) return { ...rule, members: rule.members.map(member => changeRule(member, changeId)) }
  return 'member' in rule ? { ...rule, member: changeRule(rule.member, changeId) } : rule
}

const changePolicy = <T extends { readonly policy?: PolicySpec | undefined }>(
  declared: T,
  changeId: ChangeId,
): T =>
  declared.policy === undefined
    ? declared
    : { ...declared, policy: declared.policy.map(rule => changeRule(rule, changeId)) }

const changeType = (type: TypeSpec, changeId: ChangeId): TypeSpec => ({
  ...changePolicy(type, changeId),
  fields: changeMembers(type.fields, field => changePolicy(field, changeId)),
  edges: changeMembers(type.edges, edge => changePolicy(edge, changeId)),
})

/** Returns the refs of a type by name. */
const refsOf = (type: TypeSpec | undefined): readonly string[] =>
  Object.entries(type?.fields ?? {}).flatMap(([name, { kind }]) => (kind === 'ref' ? [name] : []))

/** Returns the function that changes the ids of worlds that are digits. A missing node has the first type. */
const createChangeId = (worlds: readonly World[]): ChangeId => {
  const types = new Map(worlds.flatMap(({ nodes }) => nodes.map(({ id, type }) => [id, type] as const)))
  const [first] = worlds
  return id =>
    id === ROOT
      ? ROOT
      : idOf('named', types.get(id) ?? firstTypeOf(first?.schema ?? { types: {}, viewers: [] }), id)
}

const changeWorld = (world: World, changeId: ChangeId): World => {
  const { schema, nodes, edges, viewer } = world
  return {
    ...world,
    schema: {
      ...schema,
      ids: 'named',
      types: changeMembers(schema.types, type => changeType(type, changeId)),
    },
    nodes: nodes.map(node => ({
      ...node,
      id: changeId(node.id),
      fields: {
        ...node.fields,
        ...Object.fromEntries(
          refsOf(schema.types[node.type]).flatMap(name => {
            const ref = node.fields[name]
            return typeof ref === 'string' ? [[name, changeId(ref)]] : []
          }),
        ),
      },
    })),
    edges: edges.map(edge => ({ ...edge, source: changeId(edge.source), target: changeId(edge.target) })),
    viewer: viewer === undefined ? undefined : changeId(viewer),
  }
}

/** Returns a world of digits with ids of a kind. */
export const withIdKind = (kind: IdKind, world: World): World =>
  kind === 'digits' ? world : changeWorld(world, createChangeId([world]))
