import type { DatabaseDescription } from '../description/database-description.ts'
import {
  type ClassifiedTables,
  classifyTables,
  columnOf,
  type JoinTable,
  type NodeTable,
} from './classify-tables.ts'
import {
  deriveColumnFields,
  type FieldSource,
  type FindTimeForm,
  findLeftOut,
  findRefs,
  nameRefs,
} from './derive-fields.ts'
import { deriveSort } from './derive-sort.ts'
import type {
  DerivedBack,
  DerivedGraph,
  DerivedRef,
  DerivedSort,
  DerivedThrough,
  DerivedType,
} from './derived-graph.ts'
import { toGraphName, toPlural, toSingular, UniqueNames } from './graph-names.ts'

/** The tables and the way to find forms of times from which types are derived. */
type Sources = ClassifiedTables & {
  readonly dialect: DatabaseDescription['dialect']
  readonly findTimeForm: FindTimeForm
}

const toFieldSource = (
  { dialect, findTimeForm }: Sources,
  { table, description }: Pick<NodeTable, 'table' | 'description'>,
  key: readonly string[],
): FieldSource => ({ dialect, table, description, key, findTimeForm })

/** The members of a type before its edges, and the names that are still free. */
type TypeWithFields = Omit<DerivedType, 'edges'> & { readonly node: NodeTable; readonly names: UniqueNames }

const deriveType = (sources: Sources, node: NodeTable): TypeWithFields => {
  const { table, type, key, description } = node
  const names = new UniqueNames()
  const refs = findRefs(description, sources.nodes)
  const [keyColumn, secondColumn] = key
  // The id of the node contains it.
  const isId = secondColumn === undefined && keyColumn !== undefined && toGraphName(keyColumn, '') === 'id'
  const excluded = [...refs.flatMap(({ columns }) => columns), ...(isId ? key : [])]
  const columnFields = deriveColumnFields(toFieldSource(sources, node, key), excluded, names)
  return {
    name: type,
    over: description.key.length > 0 ? table : { table, key },
    columnFields,
    refs: nameRefs(refs, names),
    deletedColumn: Object.keys(description.columns).find(
      name => toGraphName(name, '') === 'deleted_at' && columnOf(description, name)?.nullable,
    ),
    node,
    names,
  }
}

/** Derives the order of a list of nodes. A field over its column says already how the values are stored. */
const deriveNodeSort = (
  sources: Sources,
  { node, columnFields }: TypeWithFields,
  listColumns: readonly string[],
): DerivedSort | undefined => {
  const sort = deriveSort({ ...sources, ...node }, listColumns)
  const isShown = columnFields.some(({ column }) => column === sort?.by)
  return sort && isShown ? { ...sort, as: undefined } : sort
}

/** Derives the edges of a type to the rows that name it. */
const deriveBacks = (
  sources: Sources,
  { name: source, names }: TypeWithFields,
  types: readonly TypeWithFields[],
): readonly DerivedBack[] =>
  types.flatMap(type => {
    const { name: target, refs } = type
    const leading = refs.filter(ref => ref.target === source)
    const plural = toPlural(target)
    return leading.map((ref): DerivedBack => {
      const byRef = `${plural}_by_${ref.name}`
      return {
        kind: 'back',
        name: leading.length > 1 ? names.take(byRef, `${byRef}_list`) : names.take(plural, byRef),
        target,
        columns: ref.columns,
        sort: deriveNodeSort(sources, type, ref.columns),
      }
    })
  })

/** An edge through a join table before its fields, whose names depend on all fields and edges of the target. */
type ThroughWithoutFields = Omit<DerivedThrough, 'fields'> & { readonly joinTable: JoinTable }

const toThrough = (
  sources: Sources,
  { names }: TypeWithFields,
  joinTable: JoinTable,
  [own, other]: readonly [DerivedRef, DerivedRef],
): ThroughWithoutFields => {
  const { table } = joinTable
  const plural = toPlural(other.name)
  const joinPlural = toPlural(toGraphName(table, 'join'))
  return {
    kind: 'through',
    name: names.take(plural, joinPlural, `${plural}_through_${joinPlural}`),
    join: table,
    joinTable,
    columns: own.columns,
    target: other.target,
    targetColumns: other.columns,
    sort: deriveSort({ ...sources, ...joinTable }, own.columns),
  }
}

/** Adds the fields of an edge. A result has them together with the fields and edges of the target. */
const addEntryFields = (
  sources: Sources,
  { joinTable, ...edge }: ThroughWithoutFields,
  types: readonly TypeWithFields[],
): DerivedThrough => {
  const { table, description } = joinTable
  const taken = types.find(({ name }) => name === edge.target)?.names.taken
  const fields = deriveColumnFields(
    toFieldSource(sources, joinTable, description.key),
    [...edge.columns, ...edge.targetColumns],
    new UniqueNames(taken),
    toSingular(toGraphName(table, 'join')),
  )
  return { ...edge, fields: fields.map(field => ({ ...field, isDefault: false })) }
}

/** Derives the edges of a type through join tables. A table that joins a type with itself gives two. */
const deriveThroughs = (sources: Sources, type: TypeWithFields): readonly ThroughWithoutFields[] =>
  sources.joins.flatMap(join => {
    const [first, second] = nameRefs(findRefs(join.description, sources.nodes), new UniqueNames())
    if (first === undefined || second === undefined) return []
    const directions = [
      [first, second],
      [second, first],
    ] as const
    return directions
      .filter(([own]) => own.target === type.name)
      .map(direction => toThrough(sources, type, join, direction))
  })

const deriveCollections = (
  sources: Sources,
  types: readonly TypeWithFields[],
): DerivedGraph['collections'] => {
  const names = new UniqueNames()
  return types.map(type => ({
    name: names.take(toPlural(type.name), `${type.name}_list`),
    target: type.name,
    sort: deriveNodeSort(sources, type, []),
  }))
}

/** Names of types whose nodes are probably users, the best first. */
const VIEWER_NAMES = ['user', 'account', 'member', 'person', 'profile', 'customer', 'employee']

/**
 * Derives a first graph from the keys and foreign keys of tables: a type for each table with a key, its columns
 * without those whose names suggest secrets, refs for foreign keys, edges back from them, and edges through the tables
 * that only join two others.
 */
export const deriveGraph = (database: DatabaseDescription, findTimeForm: FindTimeForm): DerivedGraph => {
  const sources = { ...classifyTables(database), dialect: database.dialect, findTimeForm }
  const types = sources.nodes.map(node => deriveType(sources, node))
  const typesWithEdges = types.map(type => ({
    type,
    backs: deriveBacks(sources, type, types),
    throughs: deriveThroughs(sources, type),
  }))
  return {
    types: typesWithEdges.map(({ type, backs, throughs }) => {
      const { name, over, columnFields, refs, deletedColumn } = type
      const edges = [...backs, ...throughs.map(edge => addEntryFields(sources, edge, types))]
      return { name, over, columnFields, refs, deletedColumn, edges }
    }),
    collections: deriveCollections(sources, types),
    viewer: VIEWER_NAMES.find(name => types.some(type => type.name === name)),
    leftOut: [
      ...sources.leftOut,
      ...sources.nodes.flatMap(node => findLeftOut(toFieldSource(sources, node, node.key))),
      ...sources.joins.flatMap(join => findLeftOut(toFieldSource(sources, join, join.description.key))),
    ],
  }
}
