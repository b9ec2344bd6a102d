import type { EdgeType } from '../schema/edge.ts'
import type { Field } from '../schema/field.ts'
import type { NodeType } from '../schema/node.ts'
import type { IdStep, ScopeNeed, Selection, TimeStep, ValueStep } from './plan.ts'

/** A field under its name, with all that plans say of it which is the same in each. */
export type DeclaredField = {
  readonly kind: 'field'
  readonly field: Field
  /** Whether it is of the edge that led to the record. */
  readonly entry: boolean
  /** The step of the field as it is, where that depends on nothing else in its plan. */
  readonly step: ValueStep | TimeStep | undefined
  readonly need: ScopeNeed | undefined
  readonly deprecation: string | undefined
}

/** An edge under its name. */
export type DeclaredEdge = {
  readonly kind: 'edge'
  readonly edge: EdgeType
  readonly need: ScopeNeed | undefined
}

/** The description that every node of a declared type has. */
export type DeclaredMetadata = {
  readonly kind: 'metadata'
  readonly described: NodeType
  readonly need: undefined
}

/** What a type, or the edge that leads to it, declares under a name. */
export type Declared =
  | { readonly kind: 'id'; readonly step: IdStep }
  | DeclaredMetadata
  | DeclaredField
  | DeclaredEdge

/** Records of one type, where they are met: what names mean there. */
export type TypePlace = {
  readonly type: string
  readonly declared: NodeType | undefined
  /** The edge that led there, where it has fields of its own: they are among the names. */
  readonly edge: EdgeType | undefined
  readonly names: ReadonlyMap<string, Declared>
  /** The number of rules with `tests` in the policy of the type. */
  readonly rulesWithChecks: number
}

/**
 * All that one list of fields is asked of. `photos{…}` of a user or a page is asked behind both edges, and a name in it
 * is at fault only where it is unknown behind both.
 */
export type Area = readonly TypePlace[]

/** Where an edge, a ref or a call leads. Places with the same names, whatever leads there, have the same area. */
export type Place = {
  readonly area: Area
  /** What is answered there where nothing is asked for; it is the same in all plans. */
  readonly defaults: () => Selection
}
