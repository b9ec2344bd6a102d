import type { GraphError } from '../base/errors.ts'
import type { FieldItem } from '../fields/expression.ts'
import type { Field, ValueField } from '../schema/field.ts'
import type { FieldType } from '../schema/field-type.ts'
import type { FieldMetadata } from '../schema/metadata.ts'
import type { NodeType } from '../schema/node.ts'
import type { Parameters, ParameterValues } from '../schema/parameter.ts'
import type { Policy } from '../schema/policy.ts'
import type { WantedFields } from '../store/contract.ts'
import type { EdgeList, Window, WindowTemplate } from './window.ts'

/**
 * A member of a result: its name, and the beginning of its JSON text both as the first and as a later member
 * of an object.
 */
export type ResultMember = {
  readonly key: string
  readonly firstPrefix: string
  readonly laterPrefix: string
}

/** The id, at its position in the expression, or last if it was not requested. */
export type IdStep = { readonly kind: 'id'; readonly isRequested: boolean }

/** A stored value of the record, or of the edge that leads to the record if `isEdgeField` is true. */
export type ValueStep = ResultMember &
  Pick<Field, 'required' | 'present'> & {
    readonly kind: 'value'
    readonly isEdgeField: boolean
    /** The name under which the field is declared. */
    readonly field: string
    /** The name under which the value is stored. */
    readonly name: string
    readonly type: FieldType
    readonly parameters: ParameterValues
    readonly scope: string | undefined
    /**
     * The index of the field's policy in the `stepPolicies` of the type plan, or `undefined` without a policy.
     */
    readonly policyIndex: number | undefined
    /** The cost of the value in each record. */
    readonly cost: number
  }

/** The time of the edge that leads to the record. */
export type TimeStep = ResultMember & {
  readonly kind: 'time'
  readonly field: string
  readonly scope: string | undefined
  readonly policyIndex: undefined
}

/** A value that is computed for all records of a group at once. The group keeps the values in a cell. */
export type ComputedStep = ResultMember & {
  readonly kind: 'computed'
  readonly cellIndex: number
  readonly name: string
  readonly type: FieldType
  readonly resolve: NonNullable<ValueField['resolve']>
  /** The stored fields that `resolve` reads, or `undefined` for all fields. */
  readonly reads: readonly string[] | undefined
  readonly declaredParameters: Parameters
  /** The values of the parameters. Ids are not resolved yet. */
  readonly parameters: ParameterValues
  readonly scope: string | undefined
  readonly policyIndex: number | undefined
  /** The cost of the value in each record. */
  readonly cost: number
}

/** The field of the viewer's own edge that a step returns. */
export type ViewerEdgeValue = {
  /** The name of a stored field, or `undefined` for the time of the edge. */
  readonly field: string | undefined
  readonly type: FieldType
  readonly parameters: ParameterValues
  /** The scopes that the edge and its field require. Without one of them, the value is left out. */
  readonly scopes: readonly string[]
  /** The index of the edge's policy, or `undefined` if it has none. */
  readonly policyIndex: number | undefined
}

/** Whether the record has an edge to the viewer, or a field of that edge. */
export type ViewerEdgeStep = ResultMember & {
  readonly kind: 'viewerEdge'
  readonly cellIndex: number
  readonly name: string
  readonly edge: string
  /** The stored list of the edge. */
  readonly list: string
  /** Undefined for whether the edge exists. */
  readonly value: ViewerEdgeValue | undefined
  readonly scope: string | undefined
  readonly policyIndex: number | undefined
}

/** The metadata of a node, or the part of it that an item selects. */
export type MetadataStep = ResultMember & {
  readonly kind: 'metadata'
  readonly type: FieldType
  readonly typeName: string
  readonly nodeType: NodeType
  /** The metadata of the fields, or `undefined` if they are not selected. */
  readonly fields: readonly FieldMetadata[] | undefined
  /** Whether the URLs of the edges are selected. */
  readonly hasConnections: boolean
  readonly scope: undefined
  readonly policyIndex: undefined
  readonly cost: number
}

/** The node that a ref of the record refers to. */
export type RefStep = ResultMember &
  Pick<Field, 'required' | 'present'> & {
    readonly kind: 'ref'
    readonly cellIndex: number
    readonly name: string
    readonly selection: Selection
    readonly policyIndex: number | undefined
  }

/** The nodes that an edge leads to. */
export type EdgeStep = ResultMember & {
  readonly kind: 'edge'
  readonly cellIndex: number
  readonly edge: EdgePlan
  readonly policyIndex: number | undefined
}

/** One member of a node in a result. */
export type PlanStep =
  | IdStep
  | ValueStep
  | TimeStep
  | ComputedStep
  | ViewerEdgeStep
  | MetadataStep
  | RefStep
  | EdgeStep

/** The plan of one edge, for any source. */
export type EdgePlan = Omit<EdgeList, 'ids'> & {
  readonly limit: number
  readonly summary: boolean
  readonly selection: Selection
  /** Whether entries may be left out: for a policy of a target, or by a filter. */
  readonly isFiltered: boolean
  readonly window: Window | WindowTemplate
}

/** A scope, and the field or edge that requires it. */
export type ScopeNeed = { readonly scope: string; readonly name: string; readonly type: string }

/**
 * The number of openings of each edge under a policy, by `type.edge`. Each path of the expression that leads
 * to the edge is one opening, and a summary is one more opening.
 */
export type ListOpenings = ReadonlyMap<string, number>

/** The plan for the records of one type. */
export type TypePlan = {
  readonly type: string
  /** The policy of the record, or `undefined` if every session may see the record. */
  readonly policy: Policy | undefined
  /** Whether the ids of the type are different for each app. */
  readonly appScoped: boolean
  /** The policies of the steps, without duplicates. */
  readonly stepPolicies: readonly Policy[]
  readonly steps: readonly PlanStep[]
  /** The steps that read or compute values. Each step has its own cell. */
  readonly cellSteps: readonly (ComputedStep | ViewerEdgeStep | RefStep | EdgeStep)[]
  /** Whether a step may be left out because of a missing scope. */
  readonly hasScopedFields: boolean
  /** The scopes that the edges and refs here and below require. A call without one of them fails. */
  readonly requiredScopes: readonly ScopeNeed[]
  /** The fields here and below that are left out if a scope is missing. */
  readonly omittedFields: readonly ScopeNeed[]
  /** The messages about deprecated fields here and below. */
  readonly deprecations: readonly string[]
  /**
   * The cost of the values and the policy of one record, and of everything below it. The 1 for the node
   * itself is not included.
   */
  readonly cost: number
  /** The part of `cost` that does not depend on the sizes of pages: the cost of the values and the policy. */
  readonly ownCost: number
  /**
   * The maximum number of values of one record and everything below it. A heavy value counts more than once.
   */
  readonly maxValues: number
  /** The maximum number of entries below one record in lists that are not under a policy. */
  readonly maxEdgesWithoutPolicy: number
  /** The openings of edges under a policy below the record. */
  readonly openings: ListOpenings
  /**
   * The number of refs that the `canSee` rules in the policy of the record follow in a row. Outside of lists
   * under a policy, the record costs 1 more for each of them.
   */
  readonly inheritedDepth: number
  /** The maximum number of store reads for the `canSee` rules of the record, its fields and its edges. */
  readonly inheritedReadCount: number
  /** The number of levels below the record. Each is one store read, with further reads for `canSee`. */
  readonly readCount: number
}

/** The plan for records that may have several types. */
export type Selection = {
  readonly types: ReadonlyMap<string, TypePlan>
  /** The only type, or `undefined` if there are several types. Nodes of one type need no grouping. */
  readonly onlyType: TypePlan | undefined
  /** Whether one of the types has a policy. If so, lists of these nodes must be filtered. */
  readonly hasPolicy: boolean
  /** Whether one of the types has app-scoped ids. */
  readonly appScoped: boolean
  /** The fields that the records need, with those of their policies. */
  readonly wanted: { readonly fields: WantedFields }
  /** The cost of an entry of a list. */
  readonly cost: number
  /** The cost of a node that is not an entry of a list: it includes the cost of `canSee`. */
  readonly singleCost: number
  readonly maxValues: number
  readonly maxEdgesWithoutPolicy: number
  readonly openings: ListOpenings
  readonly inheritedDepth: number
  readonly inheritedReadCount: number
  readonly readCount: number
  /**
   * The required scopes of the plans of all types, without duplicates. The next two lists are merged in the
   * same way.
   */
  readonly requiredScopes: readonly ScopeNeed[]
  readonly omittedFields: readonly ScopeNeed[]
  readonly deprecations: readonly string[]
}

/** An error of an item of an expression. With `partial`, a tolerable error is reported as a message. */
export type PlanError = { readonly isTolerable: boolean; createError(): GraphError; readonly item: FieldItem }

/** A compiled expression. It is frozen, and does not depend on a session, a viewer or a cursor. */
export type Plan = {
  readonly selection: Selection
  /** The errors, in the order of the text. */
  readonly errors: readonly PlanError[]
  /** The windows whose values are not part of the plan. */
  readonly windowTemplates: readonly WindowTemplate[]
  /** The weight in the cache: the number of steps, errors and windows. */
  readonly weight: number
}
