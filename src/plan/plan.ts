import type { GraphError } from '../base/faults.ts'
import type { NodeId } from '../base/ids.ts'
import type { JsonValue } from '../base/json.ts'
import type { FieldExpression, FieldItem } from '../fields/expression.ts'
import type { EdgeOrder } from '../schema/edge.ts'
import type { ValueField } from '../schema/field.ts'
import type { FieldType } from '../schema/field-type.ts'
import type { FieldMetadata } from '../schema/metadata.ts'
import type { NodeType } from '../schema/node.ts'
import type { Policy } from '../schema/policy.ts'
import type { EdgePosition } from '../store/contract.ts'
import type { Member } from './member.ts'

type Parameters = { readonly [name: string]: JsonValue | undefined }

/** The id: in the place where it was asked for, else the last. */
export type IdStep = { readonly kind: 'id'; readonly asked: boolean }

/** A stored value: of the record, or with `entry` of the edge that led to it. */
export type ValueStep = Member & {
  readonly kind: 'value'
  readonly entry: boolean
  /** The name under which the field is declared. */
  readonly field: string
  /** The name under which the value is stored. */
  readonly name: string
  readonly type: FieldType
  readonly parameters: Parameters
  readonly scope: string | undefined
  /** Which of its type plan's guards must allow it; undefined: none. */
  readonly guard: number | undefined
  /** The cost of the value in each record. */
  readonly cost: number
}

/** The time of the edge that led to the record. */
export type TimeStep = Member & {
  readonly kind: 'time'
  readonly field: string
  readonly scope: string | undefined
  readonly guard: undefined
}

/** A value computed for all records of a group at once; `cell` is where the group keeps what came. */
export type ComputedStep = Member & {
  readonly kind: 'computed'
  readonly cell: number
  readonly name: string
  readonly type: FieldType
  readonly resolve: NonNullable<ValueField['resolve']>
  readonly parameters: Parameters
  readonly scope: string | undefined
  readonly guard: number | undefined
  /** The cost of the value in each record. */
  readonly cost: number
}

/** Whether the record has an edge to the viewer. */
export type TestStep = Member & {
  readonly kind: 'test'
  readonly cell: number
  readonly edge: string
  readonly scope: string | undefined
  readonly guard: number | undefined
}

/** The description of the record's type and of where its edges are, or what an item selects of it. */
export type MetadataStep = Member & {
  readonly kind: 'metadata'
  readonly type: FieldType
  readonly typeName: string
  readonly described: NodeType
  /** Undefined: not selected. */
  readonly fields: readonly FieldMetadata[] | undefined
  /** Whether the links to the edges are selected. */
  readonly connections: boolean
  readonly scope: undefined
  readonly guard: undefined
  readonly cost: number
}

/** A node that the record names. */
export type RefStep = Member & {
  readonly kind: 'ref'
  readonly cell: number
  readonly name: string
  readonly selection: Selection
  readonly guard: number | undefined
}

/** The nodes that an edge leads to. */
export type EdgeStep = Member & {
  readonly kind: 'edge'
  readonly cell: number
  readonly edge: EdgePlan
  readonly guard: number | undefined
}

/** One member of an answer. */
export type Step = IdStep | ValueStep | TimeStep | ComputedStep | TestStep | MetadataStep | RefStep | EdgeStep

/** How one edge is read, whatever the node. */
export type EdgePlan = {
  readonly name: string
  readonly order: EdgeOrder
  readonly limit: number
  readonly summary: boolean
  readonly selection: Selection
  readonly window: Window | BoundWindow
}

/** Where in an edge list a page is, and what its links carry. */
export type Window = {
  readonly from: EdgePosition | undefined
  /** The only node for whose list `from` holds; undefined: for any. */
  readonly source: NodeId | undefined
  /** Which cursor `from` is of. */
  readonly cursor: 'after' | 'before' | undefined
  /** Milliseconds, inclusive. */
  readonly minTime: number | undefined
  /** Milliseconds, inclusive. */
  readonly maxTime: number | undefined
  /** The query string of a link to the edge, the cursor apart; '' where there is nothing to carry. */
  readonly query: () => string
}

/**
 * A window whose values, or those of the edges below, are taken out of the plan, so that the pages of a list share it. A
 * slot is the index of a value.
 */
export type BoundWindow = {
  /** The item of the expression that it is of; an item that is asked at several places has a window at each. */
  readonly item: FieldItem
  readonly edge: string
  readonly order: EdgeOrder
  /** Whether it may lead to nodes with app-scoped ids. */
  readonly appScoped: boolean
  readonly slots: { readonly [name in 'after' | 'before' | 'since' | 'until']: number | undefined }
  /** What a link carries beside the times and the cursor. */
  readonly parameters: readonly LinkParameter[]
  readonly fields: () => FieldExpression | undefined
}

/** A parameter of a link. */
export type LinkParameter = readonly [name: string, value: string]

/** A scope, and what cannot be had without it. */
export type ScopeNeed = { readonly scope: string; readonly name: string; readonly type: string }

/**
 * How often each edge under a policy is opened, by `type.edge`: once for each way through the expression that leads to it,
 * and once more for its count.
 */
export type Openings = ReadonlyMap<string, number>

/** What is answered of the records of one type, in the order of the answer. */
export type TypePlan = {
  readonly type: string
  /** Who may see the record at all; undefined: every session. */
  readonly policy: Policy | undefined
  /** Whether its ids differ from app to app. */
  readonly appScoped: boolean
  /** The policies of its guarded steps, each once. */
  readonly guards: readonly Policy[]
  readonly steps: readonly Step[]
  /** The steps that read, and those that compute: each has a cell of its own. */
  readonly cells: readonly (ComputedStep | TestStep | RefStep | EdgeStep)[]
  /** Whether any step is left out without a scope. */
  readonly scoped: boolean
  /** Edges and refs that are refused without a scope, here and below. */
  readonly refused: readonly ScopeNeed[]
  /** Fields that are left out without a scope, here and below. */
  readonly omitted: readonly ScopeNeed[]
  /** What is deprecated, here and below: the message for those who debug. */
  readonly deprecations: readonly string[]
  /** The cost of one record without the 1 for its node: of its values, of its policy and of what is below it. */
  readonly cost: number
  /** The part of `cost` that is the same for pages of any size: of its values and of its policy. */
  readonly ownCost: number
  /** The values of one record and of all below it at the most, heavy ones counted as several. */
  readonly values: number
  /** The edges answered below one record at the most from lists that no policy thins out. */
  readonly scanned: number
  /** The edges under a policy that are opened below the record. */
  readonly openings: Openings
  /** The waves below the record's. */
  readonly waves: number
}

/** What is answered of records that may be of several types. */
export type Selection = {
  readonly types: ReadonlyMap<string, TypePlan>
  /** The one type there is, where there is one: its lists need not be sorted by type. */
  readonly only: TypePlan | undefined
  /** Whether any of the types is under a policy, so that lists of them have to be sifted. */
  readonly policed: boolean
  /** Whether any of the types has app-scoped ids. */
  readonly appScoped: boolean
  readonly cost: number
  readonly values: number
  readonly scanned: number
  readonly openings: Openings
  readonly waves: number
  /** What the plans of the types note, each thing once. */
  readonly refused: readonly ScopeNeed[]
  readonly omitted: readonly ScopeNeed[]
  readonly deprecations: readonly string[]
}

/** What is wrong with the names and parameters of an expression. A soft one is a message where partial answers are asked for. */
export type Problem = { readonly soft: boolean; fault(): GraphError; readonly item: FieldItem }

/** A compiled expression: frozen, free of any session, viewer and cursor. */
export type Plan = {
  readonly selection: Selection
  /** In the order of the text. */
  readonly problems: readonly Problem[]
  /** The windows whose values are not in the plan. */
  readonly windows: readonly BoundWindow[]
  /** Its share of the weight of its text in the cache: its steps, problems and windows. */
  readonly weight: number
}
