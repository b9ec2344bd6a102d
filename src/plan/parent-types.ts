import type { IdKind } from '../base/ids.ts'
import type { EdgeType } from '../schema/edge.ts'
import type { Field } from '../schema/field.ts'
import type { Inheritance } from '../schema/inheritance.ts'
import type { NodeType } from '../schema/node.ts'
import type { Policy } from '../schema/policy.ts'
import type { IdStep, ScopeNeed, TimeStep, ValueStep } from './plan.ts'

/** The declaration of a field, with the parts that are the same in all plans. */
export type FieldDeclaration = {
  readonly kind: 'field'
  readonly field: Field
  /** Whether it is a field of the edge that leads to the record. */
  readonly isEdgeField: boolean
  /** The step of the field without modifiers, or `undefined` if the step depends on the rest of its plan. */
  readonly step: ValueStep | TimeStep | undefined
  readonly scopeNeed: ScopeNeed | undefined
  readonly deprecation: string | undefined
}

/** The declaration of an edge. */
export type EdgeDeclaration = {
  readonly kind: 'edge'
  readonly edge: EdgeType
  readonly scopeNeed: ScopeNeed | undefined
}

/** The declaration of `metadata`, which every node of a declared type has. */
export type MetadataDeclaration = {
  readonly kind: 'metadata'
  readonly ids: IdKind
  readonly nodeType: NodeType
  readonly scopeNeed: undefined
}

/** The meaning of a name in a type, or in the edge that leads to the type. */
export type Declaration =
  | { readonly kind: 'id'; readonly step: IdStep }
  | MetadataDeclaration
  | FieldDeclaration
  | EdgeDeclaration

/** A type at a position of an expression, with the meaning that each name has at this position. */
export type ParentType = {
  readonly type: string
  readonly nodeType: NodeType | undefined
  /** The edge that leads to the type, if this edge has fields. The declarations include these fields. */
  readonly edge: EdgeType | undefined
  readonly declarations: ReadonlyMap<string, Declaration>
  /** The number of rules with `checks` in the policy of the type. */
  readonly checkRuleCount: number
  /** Returns the work of the `canSee` rules in a policy of the type, or of one of its fields or edges. */
  readonly inheritanceOf: (policy: Policy | undefined) => Inheritance
}

/**
 * All types that one list of fields applies to. `photos{…}` of a user or a page applies to the targets of
 * both edges, and a name inside it is an error only if no target of either edge has this name.
 */
export type ParentTypes = readonly ParentType[]

/**
 * The nodes that an edge, a ref or a call leads to. Selection parents with the same declarations share one
 * `types` object.
 */
export type SelectionParent = {
  readonly types: ParentTypes
  /** The names of the default fields of an edge, or `undefined` if the default fields of each type apply. */
  readonly defaults: readonly string[] | undefined
}
