import type { EdgeOrder, EdgeTypes } from '../edge.ts'
import type { Types } from '../schema.ts'
import type { FieldsInput, Item, Parse } from './expression.ts'
import type { Faults } from './faults.ts'
import type { Merged } from './merged.ts'
import type { Picked } from './picked.ts'
import type { Declared, DeclaredDefault, DefaultNames, NodesOf, Place } from './place.ts'

/** A node of which only the id is known to be there: what is answered to text that is no literal. */
export type LooseNode = { id: string; [name: string]: unknown }

/** Where a page begins and ends, and where to go from it. The end of an edge is the absence of `next`. */
export type Paging = {
  /** The first and last entry answered. A page that ended at the scan limit without an entry has only the one that goes on. */
  cursors: { before?: string; after?: string }
  previous?: string
  next?: string
}

/** What is said of a whole edge, whatever the page. `total_count` counts what the viewer may see. */
export type Summary = { order: EdgeOrder; total_count: number }

/** A page of an edge, in the edge's order; an empty one has no `paging`. */
export type Page<TEntry> = { data: TEntry[]; paging?: Paging }

/** A page of an edge of which a summary was asked. */
export type CountedPage<TEntry> = { data: TEntry[]; paging?: Paging; summary?: Summary }

/** One property of an answer before it is known what is below it. */
type Part = readonly [key: string, declared: unknown, modifiers: string, below: unknown]

type AskedParts<TTypes extends Types, TPlace extends Place, TItem> = TItem extends
  | 'id'
  | readonly ['id', ...unknown[]]
  ? never
  : TItem extends string
    ? [TItem, Declared<TTypes, TPlace, TItem>, never, undefined]
    : TItem extends Item
      ? [TItem[1], Declared<TTypes, TPlace, TItem[0]>, TItem[2], TItem[3]]
      : never

type DefaultParts<TTypes extends Types, TPlace extends Place, TName> = TName extends string
  ? TName extends 'id'
    ? never
    : [TName, DeclaredDefault<TTypes, TPlace, TName>, never, undefined]
  : never

/** An edge is there wherever its type has it; a field where every type promises it. */
type IsSure<TDeclared> = [TDeclared] extends [EdgeTypes | { sure: true }] ? true : false

type OutputIn<TDeclared> = TDeclared extends { output: infer TOutput } ? TOutput : never
type TargetsIn<TDeclared> = TDeclared extends { targets: infer TTargets extends string } ? TTargets : never

/** A page of an edge; counted where the summary may have been asked. */
export type PageOf<TEntry, TSummary> = true extends TSummary ? CountedPage<TEntry> : Page<TEntry>

/** What a name is on several types is one of these; only an edge asked of unrelated types can mix them. */
type Value<TTypes extends Types, TDeclared, TModifiers, TBelow> = [TDeclared] extends [
  { targets: never } | null,
]
  ? Picked<OutputIn<TDeclared>, TBelow>
  : [TDeclared] extends [EdgeTypes | null]
    ? PageOf<
        Answer<TTypes, Extract<TDeclared, EdgeTypes>, TBelow>,
        'summary' extends TModifiers ? true : false
      >
    : [TDeclared] extends [{ output: unknown; targets: string } | null]
      ? string extends TargetsIn<TDeclared>
        ? unknown
        : Answer<TTypes, NodesOf<TargetsIn<TDeclared>>, TBelow>
      : TDeclared extends unknown
        ? Value<TTypes, TDeclared, TModifiers, TBelow>
        : never

type Shape<TTypes extends Types, TPart extends Part> = Merged<
  { id: string } & {
    [P in TPart as IsSure<P[1]> extends true ? P[0] : never]: Value<TTypes, P[1], P[2], P[3]>
  } & {
    [P in TPart as IsSure<P[1]> extends true ? never : P[0]]?: Value<TTypes, P[1], P[2], P[3]>
  }
>

/** What is answered of a node in a place to parsed items; undefined stands for the defaults. */
type Answer<TTypes extends Types, TPlace extends Place, TItems> = string extends
  | keyof TTypes
  | TPlace['targets']
  ? LooseNode
  : [TItems] extends [undefined]
    ? Shape<TTypes, DefaultParts<TTypes, TPlace, DefaultNames<TTypes, TPlace>>>
    : Shape<TTypes, AskedParts<TTypes, TPlace, TItems>>

/** What is answered of a node in a place to a `fields` literal; a union of literals gives a union of answers. */
export type AnswerTo<
  TTypes extends Types,
  TPlace extends Place,
  TFields extends FieldsInput,
> = TFields extends FieldsInput
  ? null extends Faults<TTypes, TPlace, Parse<TFields>>
    ? LooseNode
    : Answer<TTypes, TPlace, Parse<TFields>>
  : never
