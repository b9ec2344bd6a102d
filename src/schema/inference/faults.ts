import type { EdgeTypes } from '../edge.ts'
import type { FieldTypes } from '../field.ts'
import type { Types } from '../schema.ts'
import type { FieldsInput, IsLiteral, Item, Parse } from './expression.ts'
import type { InsideOf } from './picked.ts'
import type { Declared, NodesOf, Place } from './place.ts'

type EdgeModifier = 'limit' | 'after' | 'before' | 'since' | 'until' | 'order' | 'summary' | 'as'

/** The modifiers that a name takes. */
type ModifiersOf<TDeclared> = TDeclared extends EdgeTypes
  ? EdgeModifier
  : TDeclared extends FieldTypes
    ? TDeclared['parameters'] | 'as'
    : never

/** Where a name leads; never for what leads nowhere. */
type PlaceBelow<TDeclared> = TDeclared extends EdgeTypes
  ? TDeclared
  : TDeclared extends FieldTypes
    ? [TDeclared['targets']] extends [never]
      ? never
      : NodesOf<TDeclared['targets']>
    : never

/** The text of a fault where the name is known to the letter; null where it is not. */
type Naming<TName extends string, TText extends string> = IsLiteral<TName> extends true ? TText : null

type ModifierFaults<TName extends string, TModifier extends string> = TModifier extends string
  ? Naming<TModifier, `no modifier '${TModifier}' on ${TName}`>
  : never

/** Of several objects one may have what another lacks. */
type MemberName<TObject> = TObject extends unknown ? keyof TObject : never
type MemberOf<TObject, TName> = TObject extends unknown
  ? TName extends keyof TObject
    ? TObject[TName]
    : never
  : never

type MemberFaults<TName extends string, TObject, TItem> = TItem extends string
  ? TItem extends MemberName<TObject>
    ? never
    : Naming<TItem, `no '${TItem}' in ${TName}`>
  : TItem extends Item
    ? TItem[0] extends MemberName<TObject>
      ?
          | ModifierFaults<TItem[0], Exclude<TItem[2], 'as'>>
          | FaultsInside<TItem[0], MemberOf<TObject, TItem[0]>, TItem[3]>
      : Naming<TItem[0], `no '${TItem[0]}' in ${TName}`>
    : null

/** What is wrong with items inside of a value. */
type FaultsInside<TName extends string, TOutput, TItems> = [TItems] extends [undefined]
  ? never
  : unknown extends TOutput
    ? never
    : [InsideOf<TOutput>] extends [never]
      ? `no fields below '${TName}'`
      : MemberFaults<TName, InsideOf<TOutput>, TItems>

/** What is wrong with items below a name: of the nodes that it leads to, or inside of its value. */
type FaultsBelow<TTypes extends Types, TItem extends Item, TDeclared> = [TItem[3]] extends [undefined]
  ? never
  : [PlaceBelow<TDeclared>] extends [never]
    ? FaultsInside<TItem[0], TDeclared extends FieldTypes ? TDeclared['output'] : null, TItem[3]>
    : Faults<TTypes, PlaceBelow<TDeclared>, TItem[3]>

/** What a name means; the id of a node stands for itself. */
type Meaning<TTypes extends Types, TPlace extends Place, TName extends string> = TName extends 'id'
  ? 'id'
  : Declared<TTypes, TPlace, TName>

type NameFaults<TPlace extends Place, TName extends string, TDeclared> = [TDeclared] extends [null]
  ? Naming<TName, `no field or edge '${TName}' on ${TPlace['targets']}`>
  : never

type ItemFaults<TTypes extends Types, TPlace extends Place, TItem extends Item, TDeclared> = [
  TDeclared,
] extends [null]
  ? NameFaults<TPlace, TItem[0], TDeclared>
  :
      | ModifierFaults<TItem[0], Exclude<TItem[2], ModifiersOf<TDeclared>>>
      | FaultsBelow<TTypes, TItem, TDeclared>

/**
 * What is wrong with parsed items in a place, each as a text that names it; never where all is well, null where it cannot
 * be told.
 */
export type Faults<TTypes extends Types, TPlace extends Place, TItems> = string extends
  | keyof TTypes
  | TPlace['targets']
  ? never
  : TItems extends string
    ? NameFaults<TPlace, TItems, Meaning<TTypes, TPlace, TItems>>
    : TItems extends Item
      ? ItemFaults<TTypes, TPlace, TItems, Meaning<TTypes, TPlace, TItems[0]>>
      : TItems extends null
        ? null
        : never

/**
 * A `fields` literal as it may stand in a place: itself, or the texts of what is wrong with it, which the compiler
 * then shows. It infers the literal from the first branch, and `TFault` keeps it from looking for one in the faults.
 */
export type Checked<TTypes extends Types, TPlace extends Place, TFields extends FieldsInput> =
  Faults<TTypes, TPlace, Parse<TFields>> extends infer TFault
    ? null extends TFault
      ? TFields
      : [TFault] extends [never]
        ? TFields
        : TFault
    : never
