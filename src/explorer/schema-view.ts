import type { IdKind } from '../base/ids.ts'
import { isInVersion } from '../base/version.ts'
import type { ActionDescription } from '../execute/action-runtime.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { Field } from '../schema/field.ts'
import { isKeyed } from '../schema/list-order.ts'
import { typeNameOf } from '../schema/metadata.ts'
import type { Fields, NodeType } from '../schema/node.ts'
import type { Schema } from '../schema/schema.ts'
import { shownFieldsOf } from '../schema/shown-fields.ts'
import { type ActionView, toActionViews } from './action-view.ts'
import { type ParameterView, toParameterViews } from './parameter-view.ts'

/** A field in one version. */
export type FieldView = {
  readonly name: string
  /** The name of the type in `metadata`. */
  readonly type: string
  readonly description?: string
  /** Whether a request without `fields` returns the field. */
  readonly isDefault: boolean
  /** The scope that a token needs. */
  readonly scope?: string
  /** The message of the deprecation. */
  readonly deprecated?: string
  /** The target types of a ref; only refs have them. */
  readonly targets?: readonly string[]
  readonly parameters?: readonly ParameterView[]
}

/** An edge: a list of nodes. */
export type EdgeView = {
  readonly name: string
  readonly description?: string
  /** The default order. */
  readonly order: string
  /** The orders that the edge declares. */
  readonly orders?: readonly string[]
  /** The field by which a collection is ordered, if a field orders it; only collections have it. */
  readonly by?: string
  /** The orders that are not by time, in which `since` and `until` are errors. */
  readonly untimedOrders?: readonly string[]
  /** Present if a function of the schema returns the list, which has no other order. */
  readonly isComputed?: true
  /** The fields that a request without `fields` returns, if they are not the default fields of the types. */
  readonly defaults?: readonly string[]
  /** The scope that a token needs. */
  readonly scope?: string
  /** The target types. */
  readonly targets: readonly string[]
  /** The fields of the edge itself. An entry has them in addition to the fields of its type. */
  readonly fields: readonly FieldView[]
  readonly parameters?: readonly ParameterView[]
}

/** A node type. */
export type TypeView = {
  readonly name: string
  readonly description?: string
  /** Whether `me` may have this type. */
  readonly isViewer: boolean
  /** The fields in the order of the schema, without `id`. */
  readonly fields: readonly FieldView[]
  readonly edges: readonly EdgeView[]
  /** The actions of its nodes and their edges, in the order of their declaration. */
  readonly actions?: readonly ActionView[]
}

/** One version of a schema, as JSON. */
export type SchemaView = {
  readonly version: string
  /** The versions, oldest first. */
  readonly versions: readonly string[]
  /** The kind of the ids of nodes. */
  readonly ids: IdKind
  readonly types: readonly TypeView[]
}

const toDescription = ({
  description,
}: {
  readonly description: string
}): { readonly description?: string } => (description === '' ? {} : { description })

const toScope = ({ scope }: { readonly scope: string | undefined }): { readonly scope?: string } =>
  scope === undefined ? {} : { scope }

const toFieldView = (name: string, field: Field): FieldView => ({
  name,
  type: typeNameOf(field),
  ...toDescription(field),
  isDefault: field.default,
  ...toScope(field),
  ...(field.deprecated !== undefined && { deprecated: field.deprecated }),
  ...(field.kind === 'ref' && { targets: field.targets }),
  ...(field.kind === 'value' && toParameterViews(field.parameters)),
})

const toFieldViews = (fields: Fields, version: string): readonly FieldView[] =>
  Object.entries(fields)
    .filter(([, field]) => isInVersion(field, version))
    .map(([name, field]) => toFieldView(name, field))

/** Returns the orders of an edge that are not by time. */
const untimedOrdersOf = ({ order, orders, resolve, times }: EdgeType): readonly string[] => {
  if (resolve !== undefined) return times ? [] : [order]
  return [...orders.values()].flatMap(({ name, key }) => (key === 'time' ? [] : [name]))
}

/** Describes the orders of an edge, and the times of its entries. */
const toOrderMembers = (
  edge: EdgeType,
): Pick<EdgeView, 'order' | 'orders' | 'by' | 'untimedOrders' | 'isComputed'> => {
  const untimedOrders = untimedOrdersOf(edge)
  return {
    order: edge.order,
    ...(edge.orders.size > 0 && { orders: [...edge.orders.keys()] }),
    ...(edge.collection !== undefined && !isKeyed(edge.orders) && { by: edge.collection.by ?? 'id' }),
    ...(untimedOrders.length > 0 && { untimedOrders }),
    ...(edge.resolve !== undefined && { isComputed: true }),
  }
}

const toEdgeView = (name: string, edge: EdgeType, version: string): EdgeView => ({
  name,
  ...toDescription(edge),
  ...toOrderMembers(edge),
  ...toScope(edge),
  targets: edge.targets,
  ...(edge.defaults !== undefined && { defaults: edge.defaults }),
  fields: toFieldViews(edge.fields, version),
  ...toParameterViews(edge.parameters),
})

/** Returns the actions of a type of nodes. */
type DescribeActions = (type: string) => readonly ActionDescription[]

const toTypeView = (
  name: string,
  type: NodeType,
  isViewer: boolean,
  version: string,
): Omit<TypeView, 'actions'> => ({
  name,
  ...toDescription(type),
  isViewer,
  fields: toFieldViews(shownFieldsOf(type), version),
  edges: Object.entries(type.edges).map(([edgeName, edge]) => toEdgeView(edgeName, edge, version)),
})

/** Converts a version of a schema to a view, without its policies. Actions have no versions. */
export const toSchemaView = (
  { types, versions, viewers, ids }: Schema,
  version: string,
  describeActions: DescribeActions = () => [],
): SchemaView => ({
  version,
  versions,
  ids,
  types: Object.entries(types).map(([name, type]) => ({
    ...toTypeView(name, type, viewers.includes(name), version),
    ...toActionViews(describeActions(name)),
  })),
})
