import type { JsonObject, JsonValue } from '../../base/json.ts'
import type { Picture } from '../picture-type.ts'
import type { ExpressionItem } from './expression.ts'
import type { Simplify } from './simplify.ts'

/** The object whose members a selection reads, such as each value of a list or the `data` of a picture. */
export type InnerValue<TOutput> = JsonValue extends TOutput
  ? JsonObject
  : TOutput extends readonly (infer TOne)[]
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
type IsAlwaysInObject<TObject, TName, TItems> = TName extends keyof TObject
  ? string extends keyof TObject
    ? false
    : Record<never, never> extends Pick<TObject, TName>
      ? false
      : IsAlwaysSelected<TObject[TName], TItems>
  : false

/** Whether items select a part of every value. They select nothing of a value that is not an object. */
type IsAlwaysSelected<TOutput, TItems> = [TItems] extends [undefined]
  ? true
  : [TOutput] extends [object]
    ? true
    : false

type SelectedMemberValue<TObject, TItem> = SelectedValue<
  TObject[ItemName<TItem> & keyof TObject],
  ItemFields<TItem>
>

type SelectedMembers<TObject, TItems> = Simplify<
  {
    [I in TItems as IsAlwaysInObject<TObject, ItemName<I>, ItemFields<I>> extends true
      ? ItemKey<I> & string
      : never]: SelectedMemberValue<TObject, I>
  } & {
    [I in TItems as IsAlwaysInObject<TObject, ItemName<I>, ItemFields<I>> extends true
      ? never
      : ItemKey<I> & string]?: SelectedMemberValue<TObject, I>
  }
>

/** The part of a value that items select. `undefined` selects the whole value. */
export type SelectedValue<TOutput, TItems> = [TItems] extends [undefined]
  ? TOutput
  : JsonValue extends TOutput
    ? TOutput
    : TOutput extends readonly (infer TOne)[]
      ? SelectedValue<TOne, TItems>[]
      : TOutput extends Picture
        ? { data: SelectedMembers<Picture['data'], TItems> }
        : TOutput extends object
          ? SelectedMembers<TOutput, TItems>
          : never
