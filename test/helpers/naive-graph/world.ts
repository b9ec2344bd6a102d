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

export type Order = 'chronological' | 'reverse_chronological'

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
    | { readonly kind: 'viewerEdge'; readonly edge: string }
  )

/** A field of an edge: its time, or text in its data. */
export type EntryFieldSpec = { readonly kind: 'edgeTime' | 'role'; readonly scope?: string | undefined }

export type EdgeSpec = {
  readonly targets: readonly string[]
  readonly order: Order
  readonly scope?: string | undefined
  readonly defaults?: readonly string[] | undefined
  readonly symmetric?: boolean | undefined
  readonly inverse?: string | undefined
  readonly policy?: PolicySpec | undefined
  readonly fields: { readonly [name: string]: EntryFieldSpec }
}

export type TypeSpec = {
  readonly policy?: PolicySpec | undefined
  readonly appScoped?: boolean | undefined
  readonly fields: { readonly [name: string]: FieldSpec }
  readonly edges: { readonly [name: string]: EdgeSpec }
}

/** A schema as plain data, which the naive graph reads and from which the real schema is created. */
export type SchemaSpec = {
  readonly types: { readonly [name: string]: TypeSpec }
  readonly viewers: readonly string[]
}

/** A schema, its stored data, and the viewer with its scopes. */
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
