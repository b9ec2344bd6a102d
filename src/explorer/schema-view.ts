import { isInVersion } from '../base/version.ts'
import type { EdgeOrder, EdgeType } from '../schema/edge.ts'
import type { Field } from '../schema/field.ts'
import { typeNameOf } from '../schema/metadata.ts'
import type { Fields, NodeType } from '../schema/node.ts'
import type { Schema } from '../schema/schema.ts'

/** A field as one version has it. */
export type FieldView = {
  readonly name: string
  /** As `metadata` names it. */
  readonly type: string
  readonly description?: string
  /** Whether it is answered where no fields are asked for. */
  readonly isDefault: boolean
  /** The word that a token must have been granted. */
  readonly scope?: string
  /** What to use instead. */
  readonly deprecated?: string
  /** The types that a ref leads to; there for refs alone. */
  readonly targets?: readonly string[]
  readonly parameters?: readonly { readonly name: string; readonly type: string }[]
}

/** An edge: a list of nodes. */
export type EdgeView = {
  readonly name: string
  readonly description?: string
  readonly order: EdgeOrder
  /** The word that a token must have been granted. */
  readonly scope?: string
  /** The types that it leads to. */
  readonly targets: readonly string[]
  /** What an entry has beside the fields of its type. */
  readonly fields: readonly FieldView[]
}

/** A type of node. */
export type TypeView = {
  readonly name: string
  readonly description?: string
  /** Whether `me` may be one. */
  readonly isViewer: boolean
  /** In the order of the schema, without `id`. */
  readonly fields: readonly FieldView[]
  readonly edges: readonly EdgeView[]
}

/** What one version of a schema has, as JSON. */
export type SchemaView = {
  readonly version: string
  /** Oldest first. */
  readonly versions: readonly string[]
  readonly types: readonly TypeView[]
}

const described = ({ description }: { readonly description: string }): { readonly description?: string } =>
  description === '' ? {} : { description }

const scoped = ({ scope }: { readonly scope: string | undefined }): { readonly scope?: string } =>
  scope === undefined ? {} : { scope }

const parametersOf = (field: Field): Pick<FieldView, 'parameters'> => {
  const parameters = field.kind === 'value' ? Object.entries(field.parameters) : []
  return parameters.length === 0
    ? {}
    : { parameters: parameters.map(([name, type]) => ({ name, type: type.name })) }
}

const fieldView = (name: string, field: Field): FieldView => ({
  name,
  type: typeNameOf(field),
  ...described(field),
  isDefault: field.default,
  ...scoped(field),
  ...(field.deprecated !== undefined && { deprecated: field.deprecated }),
  ...(field.kind === 'ref' && { targets: field.targets }),
  ...parametersOf(field),
})

const fieldViews = (fields: Fields, version: string): readonly FieldView[] =>
  Object.entries(fields)
    .filter(([, field]) => isInVersion(field, version))
    .map(([name, field]) => fieldView(name, field))

const edgeView = (name: string, edge: EdgeType, version: string): EdgeView => ({
  name,
  ...described(edge),
  order: edge.order,
  ...scoped(edge),
  targets: edge.targets,
  fields: fieldViews(edge.fields, version),
})

const typeView = (name: string, type: NodeType, isViewer: boolean, version: string): TypeView => ({
  name,
  ...described(type),
  isViewer,
  fields: fieldViews(type.fields, version),
  edges: Object.entries(type.edges).map(([edge, declared]) => edgeView(edge, declared, version)),
})

/** What a declared version of a schema has. Nothing of policies is in it. */
export const schemaViewOf = ({ types, versions, viewers }: Schema, version: string): SchemaView => ({
  version,
  versions,
  types: Object.entries(types).map(([name, type]) => typeView(name, type, viewers.includes(name), version)),
})
