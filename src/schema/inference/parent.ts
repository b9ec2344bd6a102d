import type { EdgeTypeInfo } from '../edge.ts'
import type { Metadata } from '../metadata.ts'
import type { Fields } from '../node.ts'
import type { Schema, Types } from '../schema.ts'

/**
 * The nodes whose fields an expression selects: the targets of an edge, with the fields of the edge. Several
 * edges form a union.
 */
export type Parent = EdgeTypeInfo

/** The parent for nodes that no edge leads to. */
export type NodeParent<TNames extends string> = {
  targets: TNames
  edgeDefaults: undefined
  fields: Record<never, never>
  parameters: Record<never, never>
  orders: never
}

/** The type information of a declaration. */
export type TypeInfoOf<TDeclared> = TDeclared extends { readonly '~types'?: infer TTypes } ? TTypes : never

/** The fields and edges of each type by name. A name is either a field or an edge. */
type MembersByType<TTypes extends Types> = {
  [T in keyof TTypes]: string extends keyof TTypes[T]['fields'] | keyof TTypes[T]['edges']
    ? Fields
    : TTypes[T]['fields'] & TTypes[T]['edges']
}

type MembersOf<TTypes extends Types, TType> = MembersByType<TTypes>[TType & keyof TTypes]

type TypeInfoIn<TTable, TName> = TTable extends unknown
  ? TName extends keyof TTable
    ? WithViewerEdge<TTable, TypeInfoOf<TTable[TName]>>
    : null
  : never

/** The output of a field of an edge that leads to the viewer, among the fields and edges of one type. */
type ViewerEdgeOutput<TTable, TEdge, TField> = TEdge extends keyof TTable
  ? TypeInfoOf<TTable[TEdge]> extends { fields: infer TFields }
    ? TField extends keyof TFields
      ? TypeInfoOf<TFields[TField]> extends { output: infer TOutput }
        ? TOutput
        : unknown
      : unknown
    : unknown
  : unknown

/** The type information with the output of the viewer's own edge, for a field that names a field of that edge. */
type WithViewerEdge<TTable, TInfo> = 'viewerEdge' extends keyof TInfo
  ? WithViewerEdgeOutput<TTable, TInfo>
  : TInfo

type WithViewerEdgeOutput<TTable, TInfo> = TInfo extends { viewerEdge: readonly [infer TEdge, infer TField] }
  ? Omit<TInfo, 'output'> & { output: ViewerEdgeOutput<TTable, TEdge, TField> }
  : TInfo

/** The type information of `metadata`, which every node has. */
type MetadataTypeInfo = {
  output: Metadata
  input: never
  required: false
  alwaysPresent: true
  default: false
  targets: never
  parameters: never
}

/**
 * The type information of the field or edge with this name. The union includes `null` if one of the types has
 * no such member.
 */
export type TypeInfoOfName<TTypes extends Types, TParent extends Parent, TName> = TParent extends Parent
  ? TName extends keyof TParent['fields']
    ? TypeInfoOf<TParent['fields'][TName]>
    : TName extends 'metadata'
      ? MetadataTypeInfo
      : TypeInfoIn<MembersOf<TTypes, TParent['targets']>, TName>
  : never

type IsDefault<TInfo> = TInfo extends { default: true } ? true : false

type DefaultNamesOn<TTypes extends Types, TType extends string> = TType extends keyof TTypes
  ? {
      [N in keyof TTypes[TType]['fields']]: IsDefault<TypeInfoOf<TTypes[TType]['fields'][N]>> extends true
        ? N
        : never
    }[keyof TTypes[TType]['fields']]
  : never

/** The names of the default fields of a parent. */
export type DefaultNames<TTypes extends Types, TParent extends Parent> = TParent extends Parent
  ? TParent['edgeDefaults'] extends readonly (infer TName)[]
    ? TName
    : DefaultNamesOn<TTypes, TParent['targets']>
  : never

type DefaultTypeInfoOn<TTypes extends Types, TType extends string, TName> = TType extends keyof TTypes
  ? TName extends DefaultNamesOn<TTypes, TType>
    ? TypeInfoIn<MembersOf<TTypes, TType>, TName>
    : null
  : never

/**
 * The type information of a default field. The union includes `null` if the field is not a default field of
 * all types.
 */
export type TypeInfoOfDefault<TTypes extends Types, TParent extends Parent, TName> = TParent extends Parent
  ? TParent['edgeDefaults'] extends readonly (infer TDefault)[]
    ? TName extends TDefault
      ? TypeInfoOfName<TTypes, TParent, TName>
      : null
    : DefaultTypeInfoOn<TTypes, TParent['targets'], TName>
  : never

/** The names of a schema's types. With `Extract`, a compile error shows the names instead of the schema. */
export type TypeName<TSchema extends Schema> = Extract<keyof TSchema['types'], string>

/** The names of the types that a viewer may have. */
export type ViewerTypeName<TSchema extends Schema> = TSchema['viewers'][number]

/**
 * The nodes of a call with the options `id` and `type`. Their type is `string` if the options do not
 * determine it.
 */
export type RootParent<TSchema extends Schema, TId, TType> = TType extends string
  ? NodeParent<TType>
  : TId extends 'me'
    ? NodeParent<ViewerTypeName<TSchema>>
    : TId extends 'root'
      ? NodeParent<'root'>
      : NodeParent<string>

/** The names of the edges that the given types have. */
export type EdgeNamesOn<TTypes extends Types, TType extends string> = TType extends keyof TTypes
  ? keyof TTypes[TType]['edges'] & string
  : never

/** The names of the types that a node with the given `id` and `type` may have. */
export type SourceTypeName<TSchema extends Schema, TId, TType> = TType extends string
  ? TType
  : TId extends 'me'
    ? ViewerTypeName<TSchema> & TypeName<TSchema>
    : TId extends 'root'
      ? TypeName<TSchema> & 'root'
      : TypeName<TSchema>

/** The entries of an edge that the given types have. */
export type EntryParent<TTypes extends Types, TType extends string, TEdge> = TType extends keyof TTypes
  ? TEdge extends keyof TTypes[TType]['edges']
    ? Extract<TypeInfoOf<TTypes[TType]['edges'][TEdge]>, Parent>
    : never
  : never

/**
 * The nodes that the options of `explain` select: the nodes of a type, or the entries of one of its edges.
 */
export type ExplainParent<TTypes extends Types, TType extends string, TEdge> = TEdge extends string
  ? EntryParent<TTypes, TType, TEdge>
  : NodeParent<TType>
