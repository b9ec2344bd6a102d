import type { IdKind } from '../base/ids.ts'
import type { FieldExpression, FieldItem } from '../fields/expression.ts'
import type { CountKind } from '../schema/edge.ts'
import type { EdgeResolver } from '../schema/edge-resolver.ts'
import type { EntryFilter } from '../schema/entry-filter.ts'
import type { ListOrder } from '../schema/list-order.ts'
import type { Parameters, ParameterValues } from '../schema/parameter.ts'
import type { EdgePosition, WantedFields } from '../store/contract.ts'
import type { GivenValue } from './parameter-values.ts'
import type { SlotParameterTest } from './slots.ts'

/** The filter of an edge, with the names of the values that it receives. */
export type ListFilter = {
  readonly where: EntryFilter
  /** The fields of the target that the filter reads. */
  readonly targetFields: readonly string[]
  /** The fields of the edge without scope. */
  readonly edgeFields: readonly string[]
  /** The fields of the targets that the filter reads, by type. */
  readonly wantedFields: WantedFields
}

/** The list of an edge that a call reads, for any source. */
export type EdgeList = {
  readonly name: string
  /** The name of the stored list: that of a further order, if the list is read in one. */
  readonly list: string
  /** The kind of the ids of the graph. */
  readonly ids: IdKind
  readonly order: ListOrder
  readonly countKind: CountKind
  /** The filter of the list, or `undefined` if the list contains every entry of the stored list. */
  readonly filter: ListFilter | undefined
  /** The computation of the list, or `undefined` if the list is stored. */
  readonly computation: ListComputation | undefined
}

/** The function that returns a list, and what it can do. */
export type ListComputation = {
  readonly resolve: EdgeResolver
  /** The stored fields of the source that the function reads, or `undefined` for all fields. */
  readonly reads: readonly string[] | undefined
  /** Whether the function reads backwards. */
  readonly backward: boolean
  /** Whether the function limits the times. */
  readonly times: boolean
}

/** The position of a page in its list, and the query string of its links. */
export type Window = {
  readonly from: EdgePosition | undefined
  /** The position in a list that a function of the schema returns. */
  readonly resolvedFrom: string | undefined
  /** The text of the only node whose list `from` is valid for, or `undefined` if `from` is valid for every list. */
  readonly onlySource: string | undefined
  /** The cursor that `from` was decoded from. */
  readonly cursorParameter: 'after' | 'before' | undefined
  /** Milliseconds, inclusive. */
  readonly minTime: number | undefined
  /** Milliseconds, inclusive. */
  readonly maxTime: number | undefined
  /** The text that identifies the list in cursors. */
  readonly listKey: string
  /** The values of the edge's parameters, with defaults, in their stored form. */
  readonly parameters: ParameterValues
  /** Returns the query string of a link to the edge, without the cursor. The string may be empty. */
  readonly createLinkQuery: () => string
}

/**
 * A window without the values that differ between pages, so that all pages of a list share one plan. A slot
 * is the index of such a value.
 */
export type WindowTemplate = {
  /** The item of the expression. An item that selects several edges has one window for each edge. */
  readonly item: FieldItem
  readonly edgeList: EdgeList
  readonly parameters: GivenParameters
  /** Whether the edge may lead to nodes with app-scoped ids. */
  readonly appScoped: boolean
  /** The slots of the cursor and the dates. */
  readonly slots: { readonly [name in 'after' | 'before' | 'since' | 'until']: number | undefined }
  /** The parameters of the links, without the times and the cursor. */
  readonly linkParameters: readonly LinkParameter[]
  readonly getLinkFields: () => FieldExpression | undefined
  readonly isSlotParameter: SlotParameterTest
}

/** A given value of a parameter, or the slot that contains it. */
export type TemplateValue = GivenValue | { readonly kind: 'slot'; readonly index: number }

/** The declared parameters of an edge, and the values that a caller gave. */
export type GivenParameters = {
  readonly declared: Parameters
  readonly given: ReadonlyMap<string, TemplateValue>
  /** The names of the parameters that do nothing but choose the stored list. */
  readonly listParameters: readonly string[]
}

/** A parameter of a link. */
export type LinkParameter = readonly [name: string, value: string]
