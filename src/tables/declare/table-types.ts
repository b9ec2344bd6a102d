import type { JsonValue } from '../../base/json.ts'
import type { EdgeType } from '../../schema/edge.ts'
import type { Field, RefField, ValueField, WithTypeInfo } from '../../schema/field.ts'
import type { DateInput } from '../../schema/inference/written-values.ts'
import type { NodeType } from '../../schema/node.ts'
import type { Parameters } from '../../schema/parameter.ts'
import type { DatabaseDescription } from '../description/database-description.ts'
import type { LooseDeclarations } from './declaration.ts'
import type { JsonType } from './fields.ts'
import type { CamelCase, SnakeCase } from './names.ts'
import type { TableNameOf } from './references.ts'

/** The tables of a description as a declaration names them: with `names: 'camel'`, columns have a second name. */
export type TablesOf<TDb extends DatabaseDescription, TNames> = TNames extends 'camel'
  ? CamelTables<TDb['tables']>
  : TDb['tables']

/** Tables by their names. */
export type NamedTables = { readonly [table: string]: { readonly columns: object } }

/** The columns of the tables of types, by the names of the types. */
export type ColumnsByType<TTables extends NamedTables, TTypes extends LooseDeclarations> = {
  readonly [T in keyof TTypes]: TTables[TableNameOf<TTypes[T]['over']>]['columns']
}

type CamelTables<TTables extends NamedTables> = {
  readonly [T in keyof TTables]: { readonly columns: CamelColumns<TTables[T]['columns']> }
}

type CamelColumns<TColumns> = { readonly [C in keyof TColumns as C | CamelCase<C>]: TColumns[C] }

/** The values of results, by the types of columns. The values of all other types are texts. */
interface Outputs {
  bool: boolean
  boolean: boolean
  int2: number
  int4: number
  integer: number
  real: number
  float4: number
  float8: number
  json: JsonValue
  jsonb: JsonValue
}

/** The values of writes, by the types of columns, if they differ from those of results. */
interface Inputs {
  timestamptz: DateInput
  timestamp: DateInput
}

/** The value of a column without labels and without the option `as`. */
type PlainValue<TType, TValues> = TType extends keyof TValues
  ? TValues[TType]
  : TType extends keyof Outputs
    ? Outputs[TType]
    : string

/** The value of one item of a column. */
type ItemValue<TColumn, TOptions, TValues> = TOptions extends { readonly as: infer TAs }
  ? TAs extends JsonType<infer TValue>
    ? TValue
    : TAs extends 'text'
      ? string
      : PlainValue<'timestamptz', TValues>
  : TColumn extends { readonly labels: readonly (infer TLabel)[] }
    ? TLabel
    : TColumn extends { readonly type: infer TType }
      ? PlainValue<TType, TValues>
      : unknown

type ColumnValue<TColumn, TOptions, TValues> = TColumn extends { readonly array: true }
  ? ItemValue<TColumn, TOptions, TValues>[]
  : ItemValue<TColumn, TOptions, TValues>

/** The options by which a result may not have a field that every record has. */
type Hiding = 'scope' | 'policy' | 'since' | 'removedIn'

/** A field over a column. Its members are conditional types, so that the compiler computes only what it needs. */
export type ColumnField<TColumn, TOptions> = WithTypeInfo<
  ValueField,
  {
    output: ColumnValue<TColumn, TOptions, Outputs>
    input: ColumnValue<TColumn, TOptions, Inputs>
    required: TColumn extends { readonly nullable: true } | { readonly default: true } ? false : true
    alwaysPresent: TColumn extends { readonly nullable: true }
      ? false
      : [keyof TOptions & Hiding] extends [never]
        ? true
        : false
    default: TOptions extends { readonly default: true } ? true : false
    targets: never
    parameters: never
  }
>

/** A field that leads to the row of a key. */
export type TableRefField<TTarget extends string, TDefault extends boolean> = WithTypeInfo<
  RefField,
  {
    output: unknown
    input: string
    required: false
    alwaysPresent: false
    default: TDefault
    targets: TTarget
    parameters: never
  }
>

/** A field that says of what kind it is: a ref, or a field of the schema. */
type FieldOfKind<TDeclared> = 'columns' extends keyof TDeclared
  ? TDeclared extends { readonly target: infer TTarget; readonly options: infer TOptions }
    ? TableRefField<TTarget & string, TOptions extends { readonly default: true } ? true : false>
    : never
  : Extract<TDeclared, Field>

/** The field of the schema for a field of a declaration. */
type FieldOf<TColumns, TName, TDeclared> = TDeclared extends true
  ? ColumnField<TColumns[TName & keyof TColumns], true>
  : 'kind' extends keyof TDeclared
    ? FieldOfKind<TDeclared>
    : 'column' extends keyof TDeclared
      ? ColumnField<TColumns[TDeclared['column'] & keyof TColumns], TDeclared>
      : ColumnField<TColumns[TName & keyof TColumns], TDeclared>

/** The fields of the schema for the fields of a declaration. */
type FieldsOf<TColumns, TFields, TNames> = TNames extends 'camel'
  ? { readonly [N in keyof TFields as SnakeCase<N>]: FieldOf<TColumns, N, TFields[N]> }
  : { readonly [N in keyof TFields]: FieldOf<TColumns, N, TFields[N]> }

type EntryFields<TTables extends NamedTables, TEdge, TNames> = 'joinTable' extends keyof TEdge
  ? TEdge extends { readonly joinTable: infer TJoin; readonly options: { readonly fields: infer TFields } }
    ? FieldsOf<TTables[TableNameOf<TJoin>]['columns'], TFields, TNames>
    : Record<never, never>
  : Record<never, never>

type DefaultsOf<TOptions> = TOptions extends { readonly defaults: infer TDefaults extends readonly string[] }
  ? TDefaults
  : undefined

type ParametersOf<TOptions> = TOptions extends { readonly parameters: infer TParameters extends Parameters }
  ? TParameters
  : Record<never, never>

type OrdersOf<TOptions> = TOptions extends { readonly orders: infer TOrders } ? keyof TOrders & string : never

/** An edge over tables, without options that change its type. Most edges are such, so their type is a cheap one. */
export type PlainTableEdge<TTarget extends string, TFields> = EdgeType<{
  targets: TTarget
  edgeDefaults: undefined
  fields: Extract<TFields, { readonly [name: string]: Field }>
  parameters: Record<never, never>
  orders: never
  counted: 'sometimes'
}>

/** An edge over tables. Its long lists may have no `total_count`, unless they are counted row by row. */
export type TableEdge<TTarget extends string, TOptions, TFields> = EdgeType<
  {
    targets: TTarget
    edgeDefaults: DefaultsOf<TOptions>
    fields: Extract<TFields, { readonly [name: string]: Field }>
    parameters: ParametersOf<TOptions>
    orders: OrdersOf<TOptions>
  } & (TOptions extends { readonly count: 'exact' } ? unknown : { counted: 'sometimes' })
>

type EdgeOf<TTarget extends string, TOptions, TFields> = [
  keyof TOptions & ('defaults' | 'parameters' | 'orders' | 'count'),
] extends [never]
  ? PlainTableEdge<TTarget, TFields>
  : TableEdge<TTarget, TOptions, TFields>

type EdgesOf<TTables extends NamedTables, TEdges extends ListShapes, TNames> = {
  readonly [N in keyof TEdges]: EdgeOf<
    TEdges[N]['target'],
    TEdges[N]['options'],
    EntryFields<TTables, TEdges[N], TNames>
  >
}

type ListShapes = { readonly [name: string]: { readonly target: string; readonly options: unknown } }

type NodeBase = Omit<NodeType, 'fields' | 'edges'>

/** The type of the schema for a type of a declaration. */
export type TableNode<
  TTables extends NamedTables,
  TType extends LooseDeclarations[string],
  TNames,
> = NodeBase & {
  readonly fields: FieldsOf<TTables[TableNameOf<TType['over']>]['columns'], TType['fields'], TNames>
  readonly edges: TType extends { readonly edges: infer TEdges extends ListShapes }
    ? EdgesOf<TTables, TEdges, TNames>
    : Record<never, never>
}

/** The types of the schema for a declaration, with that of the collections. */
export type TableTypes<
  TDb extends DatabaseDescription,
  TTypes extends LooseDeclarations,
  TOptions,
> = TOptions extends {
  readonly collections: infer TCollections extends ListShapes
}
  ? TypesOf<TablesOf<TDb, NamesOf<TOptions>>, TTypes, NamesOf<TOptions>> & {
      readonly root: NodeBase & {
        readonly fields: Record<never, never>
        readonly edges: EdgesOf<TablesOf<TDb, NamesOf<TOptions>>, TCollections, NamesOf<TOptions>>
      }
    }
  : TypesOf<TablesOf<TDb, NamesOf<TOptions>>, TTypes, NamesOf<TOptions>>

type TypesOf<TTables extends NamedTables, TTypes extends LooseDeclarations, TNames> = {
  readonly [N in keyof TTypes]: TableNode<TTables, TTypes[N], TNames>
}

/** The option `names`. */
export type NamesOf<TOptions> = TOptions extends { readonly names: infer TNames } ? TNames : undefined

/** The names of the types of viewers. */
export type ViewersOf<TTypes, TOptions> = TOptions extends { readonly viewers: readonly (infer TViewer)[] }
  ? TViewer & string
  : keyof TTypes & string
