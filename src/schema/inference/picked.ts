import type { Picture } from '../picture-type.ts'
import type { Item } from './expression.ts'
import type { Merged } from './merged.ts'

/** What a value is selected inside of: each value of a list, what is in the envelope of a picture. */
export type InsideOf<TOutput> = TOutput extends readonly (infer TOne)[]
  ? InsideOf<TOne>
  : TOutput extends Picture
    ? Picture['data']
    : Extract<TOutput, object>

type NameIn<TItem> = TItem extends Item ? TItem[0] : TItem
type KeyIn<TItem> = TItem extends Item ? TItem[1] : TItem
type BelowIn<TItem> = TItem extends Item ? TItem[3] : undefined

/** Whether every value has a member; of a map no name is sure. */
type IsSure<TObject, TName> = TName extends keyof TObject
  ? string extends keyof TObject
    ? false
    : Record<never, never> extends Pick<TObject, TName>
      ? false
      : true
  : false

type MemberIn<TObject, TItem> = Picked<TObject[NameIn<TItem> & keyof TObject], BelowIn<TItem>>

type PickedMembers<TObject, TItems> = Merged<
  {
    [I in TItems as IsSure<TObject, NameIn<I>> extends true ? KeyIn<I> & string : never]: MemberIn<TObject, I>
  } & {
    [I in TItems as IsSure<TObject, NameIn<I>> extends true ? never : KeyIn<I> & string]?: MemberIn<
      TObject,
      I
    >
  }
>

/** What is answered of a value of which items name what is inside; undefined stands for all of it. */
export type Picked<TOutput, TItems> = [TItems] extends [undefined]
  ? TOutput
  : TOutput extends readonly (infer TOne)[]
    ? Picked<TOne, TItems>[]
    : TOutput extends Picture
      ? { data: PickedMembers<Picture['data'], TItems> }
      : TOutput extends object
        ? PickedMembers<TOutput, TItems>
        : TOutput
