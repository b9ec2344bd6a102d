import type { EdgeTypes } from '../edge.ts'
import type { Metadata } from '../metadata.ts'
import type { Fields } from '../node.ts'
import type { Schema, Types } from '../schema.ts'

/** Where names are looked up: on what an edge leads to, with the fields of the edge itself. Several make a union. */
export type Place = EdgeTypes

/** Nodes of some types that no edge led to. */
export type NodesOf<TNames extends string> = {
  targets: TNames
  defaults: undefined
  fields: Record<never, never>
}

/** What a declaration carries for inference. */
export type TypesIn<TDeclared> = TDeclared extends { readonly '~types'?: infer TTypes } ? TTypes : never

/** Fields and edges by name: one table for each type, since a name is one or the other. */
type Tables<TTypes extends Types> = {
  [T in keyof TTypes]: string extends keyof TTypes[T]['fields'] | keyof TTypes[T]['edges']
    ? Fields
    : TTypes[T]['fields'] & TTypes[T]['edges']
}

type TablesOf<TTypes extends Types, TType> = Tables<TTypes>[TType & keyof TTypes]

type DeclaredIn<TTable, TName> = TTable extends unknown
  ? TName extends keyof TTable
    ? TypesIn<TTable[TName]>
    : null
  : never

/** What each node tells of itself; it takes no parameters. */
type MetadataTypes = {
  output: Metadata
  input: never
  required: false
  sure: true
  default: false
  targets: never
  parameters: never
}

/** What a name means in a place: the types of a field or an edge, null where one of the types has neither. */
export type Declared<TTypes extends Types, TPlace extends Place, TName> = TPlace extends Place
  ? TName extends keyof TPlace['fields']
    ? TypesIn<TPlace['fields'][TName]>
    : TName extends 'metadata'
      ? MetadataTypes
      : DeclaredIn<TablesOf<TTypes, TPlace['targets']>, TName>
  : never

type IsDefault<TTypes> = TTypes extends { default: true } ? true : false

type DefaultNamesOn<TTypes extends Types, TType extends string> = TType extends keyof TTypes
  ? {
      [N in keyof TTypes[TType]['fields']]: IsDefault<TypesIn<TTypes[TType]['fields'][N]>> extends true
        ? N
        : never
    }[keyof TTypes[TType]['fields']]
  : never

/** The names that are answered in a place where none are asked for. */
export type DefaultNames<TTypes extends Types, TPlace extends Place> = TPlace extends Place
  ? TPlace['defaults'] extends readonly (infer TName)[]
    ? TName
    : DefaultNamesOn<TTypes, TPlace['targets']>
  : never

type DefaultOn<TTypes extends Types, TType extends string, TName> = TType extends keyof TTypes
  ? TName extends DefaultNamesOn<TTypes, TType>
    ? DeclaredIn<TablesOf<TTypes, TType>, TName>
    : null
  : never

/** What a name means among the defaults: null where one of the types answers it only on demand. */
export type DeclaredDefault<TTypes extends Types, TPlace extends Place, TName> = TPlace extends Place
  ? TPlace['defaults'] extends readonly (infer TDefault)[]
    ? TName extends TDefault
      ? Declared<TTypes, TPlace, TName>
      : null
    : DefaultOn<TTypes, TPlace['targets'], TName>
  : never

/** The names of a schema's types: extracted, so that a fault shows the names and not the schema. */
export type TypeName<TSchema extends Schema> = Extract<keyof TSchema['types'], string>

/** The names of the types that a token may stand for. */
export type ViewerName<TSchema extends Schema> = TSchema['viewers'][number]

/** Where `id` and `type` lead: to nodes of any type where they do not tell. */
export type RootPlace<TSchema extends Schema, TId, TType> = TType extends string
  ? NodesOf<TType>
  : TId extends 'me'
    ? NodesOf<ViewerName<TSchema>>
    : NodesOf<string>

/** The names of the edges of some types. */
export type EdgeNamesOn<TTypes extends Types, TType extends string> = TType extends keyof TTypes
  ? keyof TTypes[TType]['edges'] & string
  : never

/** The types that `id` and `type` leave possible. */
export type SourceName<TSchema extends Schema, TId, TType> = TType extends string
  ? TType
  : TId extends 'me'
    ? ViewerName<TSchema> & TypeName<TSchema>
    : TypeName<TSchema>

/** Where an edge leads from any of some types. */
export type EdgePlace<TTypes extends Types, TType extends string, TEdge> = TType extends keyof TTypes
  ? TEdge extends keyof TTypes[TType]['edges']
    ? Extract<TypesIn<TTypes[TType]['edges'][TEdge]>, Place>
    : never
  : never

/** What is explained: nodes of a type, or the entries of one of its edges. */
export type ExplainedPlace<TTypes extends Types, TType extends string, TEdge> = TEdge extends string
  ? EdgePlace<TTypes, TType, TEdge>
  : NodesOf<TType>
