import type { JsonValue } from '../../base/json.ts'
import type { EdgeType } from '../../schema/edge.ts'
import type { Field, RefField, ValueField, WithTypeInfo } from '../../schema/field.ts'
import type { AlwaysPresent } from '../../schema/field-inference.ts'
import type { DateInput } from '../../schema/inference/written-values.ts'
import type { NodeType } from '../../schema/node.ts'
import type { Parameters } from '../../schema/parameter.ts'
import type { DatabaseDescription } from '../description/database-description.ts'
import type { JsonType } from './fields.ts'
import type { TableNameOf } from './lists.ts'
import type { CamelCase, SnakeCase } from './names.ts'

/** The columns of a table of a description, by their names in a declaration. */
export type ColumnsOf<TDb extends DatabaseDescription, TTable extends string, TNames> = TNames extends 'camel'
  ? CamelColumns<TDb['tables'][TTable]['columns']>
  : TDb['tables'][TTable]['columns']

/** Columns by their names, and by their names in camel case. */
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

/** A field over a column. Equal arguments are frequent, so the compiler shares the type. */
export type ColumnField<
  TOutput,
  TInput,
  TRequired extends boolean,
  TAlwaysPresent extends boolean,
  TDefault extends boolean,
> = WithTypeInfo<
  ValueField,
  {
    output: TOutput
    input: TInput
    required: TRequired
    alwaysPresent: TAlwaysPresent
    default: TDefault
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

type IsRequired<TColumn> = TColumn extends { readonly nullable: true } | { readonly default: true }
  ? false
  : true

type IsAlwaysPresent<TColumn, TOptions> = TColumn extends { readonly nullable: true }
  ? false
  : TOptions extends true
    ? true
    : AlwaysPresent<TOptions & { readonly required: true }>

type FieldOfColumn<TColumn, TOptions> = ColumnField<
  ColumnValue<TColumn, TOptions, Outputs>,
  ColumnValue<TColumn, TOptions, Inputs>,
  IsRequired<TColumn>,
  IsAlwaysPresent<TColumn, TOptions>,
  TOptions extends { readonly default: true } ? true : false
>

/** The name of the column of a field. */
type ColumnNameOf<TName, TDeclared> = TDeclared extends { readonly column: infer TColumn } ? TColumn : TName

/** The field of the schema for a field of a declaration. */
type FieldOf<TColumns, TName, TDeclared> = TDeclared extends true
  ? FieldOfColumn<TColumns[TName & keyof TColumns], true>
  : TDeclared extends {
        readonly kind: 'tableRef'
        readonly target: infer TTarget
        readonly options: infer TOptions
      }
    ? TableRefField<TTarget & string, TOptions extends { readonly default: true } ? true : false>
    : TDeclared extends { readonly kind: unknown }
      ? Extract<TDeclared, Field>
      : FieldOfColumn<TColumns[ColumnNameOf<TName, TDeclared> & keyof TColumns], TDeclared>

/** The fields of the schema for the fields of a declaration. */
type FieldsOf<TColumns, TFields, TNames> = TNames extends 'camel'
  ? { readonly [N in keyof TFields as SnakeCase<N>]: FieldOf<TColumns, N, TFields[N]> }
  : { readonly [N in keyof TFields]: FieldOf<TColumns, N, TFields[N]> }

type EntryFields<TDb extends DatabaseDescription, TEdge, TNames> = TEdge extends {
  readonly joinTable: infer TJoin
  readonly options: { readonly fields: infer TFields }
}
  ? FieldsOf<ColumnsOf<TDb, TableNameOf<TJoin>, TNames>, TFields, TNames>
  : Record<never, never>

type ListInfo<TTarget, TOptions, TFields> = {
  targets: TTarget
  edgeDefaults: TOptions extends { readonly defaults: infer TDefaults extends readonly string[] }
    ? TDefaults
    : undefined
  fields: TFields
  parameters: TOptions extends { readonly parameters: infer TParameters extends Parameters }
    ? TParameters
    : Record<never, never>
  orders: TOptions extends { readonly orders: infer TOrders } ? keyof TOrders & string : never
}

/** An edge over tables. A long list has a `total_count` only if a column of the source contains it. */
export type TableEdge<TTarget extends string, TOptions, TFields> = EdgeType<
  ListInfo<TTarget, TOptions, Extract<TFields, { readonly [name: string]: Field }>> &
    (TOptions extends { readonly count: { readonly column: unknown } } ? unknown : { counted: 'sometimes' })
>

/** The edge of the schema for a list of a declaration. */
type EdgeOf<TDb extends DatabaseDescription, TEdge, TNames> = TEdge extends {
  readonly target: infer TTarget
  readonly options: infer TOptions
}
  ? TableEdge<TTarget & string, TOptions, EntryFields<TDb, TEdge, TNames>>
  : EdgeType

type EdgesOf<TDb extends DatabaseDescription, TEdges, TNames> = {
  readonly [N in keyof TEdges]: EdgeOf<TDb, TEdges[N], TNames>
}

type NodeBase = Omit<NodeType, 'fields' | 'edges'>

/** The type of the schema for a type of a declaration. */
export type TableNode<TDb extends DatabaseDescription, TType, TNames> = NodeBase & {
  readonly fields: TType extends { readonly over: infer TOver; readonly fields: infer TFields }
    ? FieldsOf<ColumnsOf<TDb, TableNameOf<TOver>, TNames>, TFields, TNames>
    : never
  readonly edges: TType extends { readonly edges: infer TEdges }
    ? EdgesOf<TDb, TEdges, TNames>
    : Record<never, never>
}

/** The types of the schema for a declaration, with that of the collections. */
export type TableTypes<TDb extends DatabaseDescription, TTypes, TOptions> = TOptions extends {
  readonly collections: infer TCollections
}
  ? TypesOf<TDb, TTypes, NamesOf<TOptions>> & {
      readonly root: NodeBase & {
        readonly fields: Record<never, never>
        readonly edges: EdgesOf<TDb, TCollections, NamesOf<TOptions>>
      }
    }
  : TypesOf<TDb, TTypes, NamesOf<TOptions>>

type TypesOf<TDb extends DatabaseDescription, TTypes, TNames> = {
  readonly [N in keyof TTypes]: TableNode<TDb, TTypes[N], TNames>
}

/** The option `names`. */
export type NamesOf<TOptions> = TOptions extends { readonly names: infer TNames } ? TNames : undefined

/** The names of the types of viewers. */
export type ViewersOf<TTypes, TOptions> = TOptions extends { readonly viewers: readonly (infer TViewer)[] }
  ? TViewer & string
  : keyof TTypes & string
