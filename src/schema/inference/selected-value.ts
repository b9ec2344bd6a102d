import type { Picture } from '../picture-type.ts'
import type { ExpressionItem } from './expression.ts'
import type { Simplify } from './simplify.ts'

/** The object whose members a selection reads, such as each value of a list or the `data` of a picture. */
export type InnerValue<TOutput> = TOutput extends readonly (infer TOne)[]
  ? InnerValue<TOne>
  : TOutput extends Picture
    ? Picture['data']
    : Extract<TOutput, object>

type ItemName<TItem> = TItem extends ExpressionItem ? TItem[0] : TItem
type ItemKey<TItem> = TItem extends ExpressionItem ? TItem[1] : TItem
type ItemFields<TItem> = TItem extends ExpressionItem ? TItem[3] : undefined

/**
 * Whether every value has the member. The result is false for a map, because the names in a map are not
 * known.
 */
type IsAlwaysInObject<TObject, TName> = TName extends keyof TObject
  ? string extends keyof TObject
    ? false
    : Record<never, never> extends Pick<TObject, TName>
      ? false
      : true
  : false

type SelectedMemberValue<TObject, TItem> = SelectedValue<
  TObject[ItemName<TItem> & keyof TObject],
  ItemFields<TItem>
>

type SelectedMembers<TObject, TItems> = Simplify<
  {
    [I in TItems as IsAlwaysInObject<TObject, ItemName<I>> extends true
      ? ItemKey<I> & string
      : never]: SelectedMemberValue<TObject, I>
  } & {
    [I in TItems as IsAlwaysInObject<TObject, ItemName<I>> extends true
      ? never
      : ItemKey<I> & string]?: SelectedMemberValue<TObject, I>
  }
>

/** The part of a value that items select. `undefined` selects the whole value. */
export type SelectedValue<TOutput, TItems> = [TItems] extends [undefined]
  ? TOutput
  : TOutput extends readonly (infer TOne)[]
    ? SelectedValue<TOne, TItems>[]
    : TOutput extends Picture
      ? { data: SelectedMembers<Picture['data'], TItems> }
      : TOutput extends object
        ? SelectedMembers<TOutput, TItems>
        : TOutput
