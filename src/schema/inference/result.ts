import type { PublicId } from '../../base/ids.ts'
import type { EdgeTypeInfo } from '../edge.ts'
import type { Types } from '../schema.ts'
import type { FieldsErrors } from './checked-fields.ts'
import type { ExpressionItem, FieldsInput, ParseFields } from './expression.ts'
import type { DefaultNames, NodeParent, Parent, TypeInfoOfDefault, TypeInfoOfName } from './parent.ts'
import type { SelectedValue } from './selected-value.ts'
import type { Simplify } from './simplify.ts'

/** A node for which only the `id` is known at compile time, for example because `fields` is not a literal. */
export type UntypedNode = { id: PublicId; [name: string]: unknown }

/** The cursors and links of a page. The last page of an edge has no `next`. */
export type Paging = {
  /**
   * The cursors of the first and last entry. If the scan limit ended a page that has no entries, the page has
   * only the cursor to continue from.
   */
  cursors: { before?: string; after?: string }
  previous?: string
  next?: string
}

/**
 * The summary of a whole edge, which is the same for all pages. `total_count` counts the entries that the
 * viewer may see.
 */
export type Summary = { order: string; total_count: number }

/** The summary of an edge whose long lists have no `total_count`. */
export type UncertainSummary = { order: string; total_count?: number }

/** The summary of the pages that lead to the nodes of a parent. */
type SummaryOf<TParent> = [Extract<TParent, { counted: 'sometimes' }>] extends [never]
  ? Summary
  : UncertainSummary

/**
 * A page of an edge, in the order of the edge. An empty page has no `paging`, unless the scan limit ended the
 * page.
 */
export type Page<TEntry> = { data: TEntry[]; paging?: Paging }

/** A page of an edge with a summary, if the summary was requested. */
export type PageWithSummary<TEntry, TSummary = Summary> = {
  data: TEntry[]
  paging?: Paging
  summary?: TSummary
}

/** One member of a result before the type of its value is computed. */
type MemberInput = readonly [key: string, declared: unknown, modifiers: string, below: unknown]

type RequestedMembers<TTypes extends Types, TParent extends Parent, TItem> = TItem extends
  | 'id'
  | readonly ['id', ...unknown[]]
  ? never
  : TItem extends string
    ? [TItem, TypeInfoOfName<TTypes, TParent, TItem>, never, undefined]
    : TItem extends ExpressionItem
      ? [TItem[1], TypeInfoOfName<TTypes, TParent, TItem[0]>, TItem[2], TItem[3]]
      : never

type DefaultMembers<TTypes extends Types, TParent extends Parent, TName> = TName extends string
  ? TName extends 'id'
    ? never
    : [TName, TypeInfoOfDefault<TTypes, TParent, TName>, never, undefined]
  : never

/**
 * Whether a result always has a member: an edge, or a field that is always present in every type and of which the
 * items below it select a part.
 */
type IsAlwaysPresent<TDeclared, TBelow> = [TDeclared] extends [EdgeTypeInfo | { alwaysPresent: true }]
  ? [TBelow] extends [undefined]
    ? true
    : [TDeclared] extends [EdgeTypeInfo | { output: object }]
      ? true
      : false
  : false

type OutputOfInfo<TDeclared> = TDeclared extends { output: infer TOutput } ? TOutput : never
type TargetsOfInfo<TDeclared> = TDeclared extends { targets: infer TTargets extends string }
  ? TTargets
  : never

/** A page of an edge, with a summary if it may have been requested. */
export type PageResult<TEntry, TSummary, TParent> = true extends TSummary
  ? PageWithSummary<TEntry, SummaryOf<TParent>>
  : Page<TEntry>

/**
 * The value of a member: a field, an edge or a ref. It is a union of these kinds only below an edge of a node
 * whose type is unknown.
 */
type MemberResult<TTypes extends Types, TDeclared, TModifiers, TBelow> = [TDeclared] extends [
  { targets: never } | null,
]
  ? SelectedValue<OutputOfInfo<TDeclared>, TBelow>
  : [TDeclared] extends [EdgeTypeInfo | null]
    ? PageResult<
        ItemsResult<TTypes, Extract<TDeclared, EdgeTypeInfo>, TBelow>,
        'summary' extends TModifiers ? true : false,
        TDeclared
      >
    : [TDeclared] extends [{ output: unknown; targets: string } | null]
      ? string extends TargetsOfInfo<TDeclared>
        ? unknown
        : ItemsResult<TTypes, NodeParent<TargetsOfInfo<TDeclared>>, TBelow>
      : TDeclared extends unknown
        ? MemberResult<TTypes, TDeclared, TModifiers, TBelow>
        : never

type ObjectResult<TTypes extends Types, TMember extends MemberInput> = Simplify<
  { id: PublicId } & {
    [P in TMember as IsAlwaysPresent<P[1], P[3]> extends true ? P[0] : never]: MemberResult<
      TTypes,
      P[1],
      P[2],
      P[3]
    >
  } & {
    [P in TMember as IsAlwaysPresent<P[1], P[3]> extends true ? never : P[0]]?: MemberResult<
      TTypes,
      P[1],
      P[2],
      P[3]
    >
  }
>

/** The result of a node for parsed items. If `TItems` is undefined, the result has the default fields. */
type ItemsResult<TTypes extends Types, TParent extends Parent, TItems> = string extends
  | keyof TTypes
  | TParent['targets']
  ? UntypedNode
  : [TItems] extends [undefined]
    ? ObjectResult<TTypes, DefaultMembers<TTypes, TParent, DefaultNames<TTypes, TParent>>>
    : ObjectResult<TTypes, RequestedMembers<TTypes, TParent, TItems>>

/** The result of a node for a `fields` literal. A union of literals becomes a union of results. */
export type FieldsResult<
  TTypes extends Types,
  TParent extends Parent,
  TFields extends FieldsInput,
> = TFields extends FieldsInput
  ? null extends FieldsErrors<TTypes, TParent, ParseFields<TFields>>
    ? UntypedNode
    : ItemsResult<TTypes, TParent, ParseFields<TFields>>
  : never
