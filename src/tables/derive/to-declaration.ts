import { back, collection, through } from '../declare/create-lists.ts'
import type { TablesOptions, TypeDeclaration, TypeDeclarations } from '../declare/declaration.ts'
import { type ColumnFieldOptions, ref } from '../declare/fields.ts'
import type { TableEdgeDeclaration } from '../declare/lists.ts'
import type {
  DerivedBack,
  DerivedColumnField,
  DerivedGraph,
  DerivedThrough,
  DerivedType,
} from './derived-graph.ts'

const toField = ({
  name,
  column,
  as,
  isDefault,
}: DerivedColumnField): readonly [string, ColumnFieldOptions] => [name, { column, as, default: isDefault }]

const toEdge = (edge: DerivedBack | DerivedThrough): TableEdgeDeclaration => {
  const { target, columns, sort } = edge
  if (edge.kind === 'back') return back(target, columns, sort)
  const fields = Object.fromEntries(edge.fields.map(toField))
  return through(edge.join, columns, target, edge.targetColumns, { ...sort, fields })
}

const toType = ({ over, columnFields, refs, edges }: DerivedType): TypeDeclaration => ({
  over,
  fields: Object.fromEntries([
    ...columnFields.map(toField),
    ...refs.map(({ name, target, columns }) => [name, ref(target, columns)] as const),
  ]),
  edges: Object.fromEntries(edges.map(edge => [edge.name, toEdge(edge)])),
})

/** Converts a derived graph to the arguments of `defineTables`. */
export const toDeclaration = ({
  types,
  collections,
  viewer,
}: DerivedGraph): { readonly types: TypeDeclarations; readonly options: TablesOptions } => ({
  types: Object.fromEntries(types.map(type => [type.name, toType(type)])),
  options: {
    ...(viewer !== undefined && { viewers: [viewer] }),
    collections: Object.fromEntries(
      collections.map(({ name, target, sort }) => [name, collection(target, sort)]),
    ),
  },
})
