import type { IdKind } from '../../../src/base/ids.ts'
import type { Version } from '../../../src/base/version.ts'
import type { EdgeRecord, NodeRecord } from '../../../src/store/contract.ts'
import type { PolicySpec } from './policies.ts'

/** The versions that every schema of a world declares, in ascending order. */
export const VERSIONS: readonly Version[] = ['v1.0', 'v2.3', 'v2.12']

export type ValueKind =
  | 'string'
  | 'bool'
  | 'int'
  | 'float'
  | 'numericString'
  | 'url'
  | 'enum'
  | 'list'
  | 'datetime'
  | 'unixtime'
  | 'birthday'
  | 'date'
  | 'json'

/** The orders that every list has. */
export type TimeOrder = 'chronological' | 'reverse_chronological'

/** The fields of an edge that can order its lists. */
export type KeyField = 'rank' | 'at' | 'stamp'

/** A declared order as data. */
export type OrderSpec =
  | 'time'
  | { readonly by: KeyField; readonly direction?: 'ascending' | 'descending' | undefined }

type FieldFlags = {
  readonly default?: boolean | undefined
  readonly scope?: string | undefined
  readonly since?: string | undefined
  readonly removedIn?: string | undefined
  readonly policy?: PolicySpec | undefined
}

/** A field as data. The value of a computed field is a text of the record's id and the parameter `times`. */
export type FieldSpec = FieldFlags &
  (
    | { readonly kind: 'value'; readonly of: ValueKind; readonly required?: boolean | undefined }
    | { readonly kind: 'computed' }
    | { readonly kind: 'ref'; readonly targets: readonly string[] }
    | {
        readonly kind: 'viewerEdge'
        readonly edge: string
        /** The field of the edge that is returned. Without it, the value is whether the edge exists. */
        readonly field?: string | undefined
        readonly parameters?: ParameterValues | undefined
      }
  )

/** A field of an edge: its time, or a value in its data. The values that order lists are required. */
export type EntryFieldSpec = {
  readonly kind: 'edgeTime' | 'role' | KeyField
  readonly scope?: string | undefined
}

/** The value of a parameter. */
export type ParameterValue = string | number | boolean

/** The values of parameters by name. A parameter without a value is `undefined` or missing. */
export type ParameterValues = { readonly [name: string]: ParameterValue | undefined }

/** A parameter of an edge. */
export type ParameterSpec = { readonly default?: ParameterValue | undefined } & (
  | { readonly kind: 'enum'; readonly words: readonly string[] }
  | { readonly kind: 'string' | 'int' | 'bool' }
)

/**
 * A filter as data. It compares the role of an entry with the parameter `part`, its time with `least`, and the
 * fields `mood` and `live` of its target with the parameters of these names.
 */
export type FilterSpec = {
  /** The fields of the target that the filter sees. */
  readonly reads: readonly string[]
  /** Whether the compared values must differ instead of being equal. */
  readonly differs: boolean
  /** A role whose entries never pass, whatever the parameters are. */
  readonly never?: string | undefined
  /** What the filter does for an entry that does not pass. All of these leave the entry out. */
  readonly refusal: 'false' | 'throws' | 'text'
}

export type EdgeSpec = {
  readonly targets: readonly string[]
  /** The name of the default order. */
  readonly order: string
  /** The declared orders by name. */
  readonly orders?: { readonly [name: string]: OrderSpec } | undefined
  /** The field that orders a collection, or `undefined` for an order by id. Edges of nodes have no such member. */
  readonly collection?: { readonly by: string | undefined } | undefined
  readonly scope?: string | undefined
  readonly defaults?: readonly string[] | undefined
  readonly symmetric?: boolean | undefined
  readonly inverse?: string | undefined
  readonly policy?: PolicySpec | undefined
  readonly fields: { readonly [name: string]: EntryFieldSpec }
  readonly parameters?: { readonly [name: string]: ParameterSpec } | undefined
  /** The names of the parameters that choose the stored list. */
  readonly list?: readonly string[] | undefined
  readonly where?: FilterSpec | undefined
}

export type TypeSpec = {
  readonly policy?: PolicySpec | undefined
  readonly appScoped?: boolean | undefined
  readonly fields: { readonly [name: string]: FieldSpec }
  readonly edges: { readonly [name: string]: EdgeSpec }
}

/**
 * A schema as plain data, which the naive graph reads and from which the real schema is created. Its collections
 * are the edges of the type `root`.
 */
export type SchemaSpec = {
  /** The kind of the ids. Default: digits. */
  readonly ids?: IdKind | undefined
  readonly types: { readonly [name: string]: TypeSpec }
  readonly viewers: readonly string[]
}

/**
 * A schema, its data, and the viewer with its scopes. The nodes and edges include the node of collections and the
 * entries of collections, which the library derives.
 */
export type World = {
  readonly schema: SchemaSpec
  readonly nodes: readonly NodeRecord[]
  readonly edges: readonly EdgeRecord[]
  readonly viewer: string | undefined
  readonly scopes: readonly string[]
}

/** Returns the value of a computed field of a world. */
export const computeText = (id: string, times: number | undefined): string | undefined =>
  times === 0 ? undefined : `${id} times ${times ?? 'nothing'}`

/** Words of the parameter `kind` that choose the same list. */
const toListWord = (value: ParameterValue | undefined): ParameterValue | undefined =>
  value === 'more' ? 'other' : value

/** Returns the name of the stored list of an edge of a world. The list for the defaults has the edge's name. */
export const listNameOf = (
  edge: string,
  { list = [], parameters = {} }: Pick<EdgeSpec, 'list' | 'parameters'>,
  values: ParameterValues,
): string => {
  const words = list.flatMap(name => {
    const word = toListWord(values[name])
    return word === toListWord(parameters[name]?.default) ? [] : [`${word}`]
  })
  return [edge, ...words].join('_')
}

/** The values of an entry that a filter compares. */
type ComparedValues = {
  readonly role: unknown
  readonly time: number
  readonly fields: { readonly [name: string]: unknown }
}

/** Whether an entry passes a filter of a world. */
export const passesFilter = (
  { never, differs }: FilterSpec,
  { role, time, fields }: ComparedValues,
  values: ParameterValues,
): boolean => {
  const isWanted = (value: unknown, wanted: ParameterValue | undefined): boolean =>
    wanted === undefined || (value === wanted) !== differs
  const { part, mood, live, least } = values
  return (
    (never === undefined || role !== never) &&
    isWanted(role, part) &&
    isWanted(fields.mood, mood) &&
    isWanted(fields.live, live) &&
    (least === undefined || time >= Number(least))
  )
}
