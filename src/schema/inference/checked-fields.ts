import type { JsonValue } from '../../base/json.ts'
import type { EdgeTypeInfo } from '../edge.ts'
import type { FieldTypeInfo } from '../field.ts'
import type { Types } from '../schema.ts'
import type { ExpressionItem, FieldsInput, IsLiteral, ParseFields } from './expression.ts'
import type { NodeParent, Parent, TypeInfoOfName } from './parent.ts'
import type { InnerValue } from './selected-value.ts'

type EdgeModifier = 'limit' | 'after' | 'before' | 'since' | 'until' | 'order' | 'summary' | 'as'

/** The modifiers of a name. */
type ModifiersOf<TDeclared> = TDeclared extends EdgeTypeInfo
  ? EdgeModifier | (keyof TDeclared['parameters'] & string)
  : TDeclared extends FieldTypeInfo
    ? TDeclared['parameters'] | 'as'
    : never

/** The nodes that a name leads to, or `never` if the name leads to no nodes. */
type TargetParent<TDeclared> = TDeclared extends EdgeTypeInfo
  ? TDeclared
  : TDeclared extends FieldTypeInfo
    ? [TDeclared['targets']] extends [never]
      ? never
      : NodeParent<TDeclared['targets']>
    : never

/** The text of an error if the name is a literal, or `null` if it is not. */
type ErrorText<TName extends string, TText extends string> = IsLiteral<TName> extends true ? TText : null

type ModifierErrors<TName extends string, TModifier extends string> = TModifier extends string
  ? ErrorText<TModifier, `no modifier '${TModifier}' on ${TName}`>
  : never

/** The names of the members of a union of objects. */
type MemberName<TObject> = TObject extends unknown ? keyof TObject : never
type MemberOf<TObject, TName> = TObject extends unknown
  ? TName extends keyof TObject
    ? TObject[TName]
    : never
  : never

type MemberErrors<TName extends string, TObject, TItem> = TItem extends string
  ? TItem extends MemberName<TObject>
    ? never
    : ErrorText<TItem, `no '${TItem}' in ${TName}`>
  : TItem extends ExpressionItem
    ? TItem[0] extends MemberName<TObject>
      ?
          | ModifierErrors<TItem[0], Exclude<TItem[2], 'as'>>
          | InnerErrors<TItem[0], MemberOf<TObject, TItem[0]>, TItem[3]>
      : ErrorText<TItem[0], `no '${TItem[0]}' in ${TName}`>
    : null

/** The errors of items inside a value. */
type InnerErrors<TName extends string, TOutput, TItems> = [TItems] extends [undefined]
  ? never
  : JsonValue extends TOutput
    ? never
    : [InnerValue<TOutput>] extends [never]
      ? `no fields below '${TName}'`
      : MemberErrors<TName, InnerValue<TOutput>, TItems>

/**
 * The errors of the items below a name, which select fields of the nodes that the name leads to, or members
 * of the name's value.
 */
type SubselectionErrors<TTypes extends Types, TItem extends ExpressionItem, TDeclared> = [TItem[3]] extends [
  undefined,
]
  ? never
  : [TargetParent<TDeclared>] extends [never]
    ? InnerErrors<TItem[0], TDeclared extends FieldTypeInfo ? TDeclared['output'] : null, TItem[3]>
    : FieldsErrors<TTypes, TargetParent<TDeclared>, TItem[3]>

/** The type information of a name, or `'id'` for the name `id`. */
type TypeInfoOrId<TTypes extends Types, TParent extends Parent, TName extends string> = TName extends 'id'
  ? 'id'
  : TypeInfoOfName<TTypes, TParent, TName>

type NameErrors<TParent extends Parent, TName extends string, TDeclared> = [TDeclared] extends [null]
  ? ErrorText<TName, `no field or edge '${TName}' on ${TParent['targets']}`>
  : never

type ItemErrors<TTypes extends Types, TParent extends Parent, TItem extends ExpressionItem, TDeclared> = [
  TDeclared,
] extends [null]
  ? NameErrors<TParent, TItem[0], TDeclared>
  :
      | ModifierErrors<TItem[0], Exclude<TItem[2], ModifiersOf<TDeclared>>>
      | SubselectionErrors<TTypes, TItem, TDeclared>

/**
 * The errors of parsed items for a parent, each as a text. The type is `never` if there is no error, and
 * `null` if the errors are not known at compile time.
 */
export type FieldsErrors<TTypes extends Types, TParent extends Parent, TItems> = string extends
  | keyof TTypes
  | TParent['targets']
  ? never
  : TItems extends string
    ? NameErrors<TParent, TItems, TypeInfoOrId<TTypes, TParent, TItems>>
    : TItems extends ExpressionItem
      ? ItemErrors<TTypes, TParent, TItems, TypeInfoOrId<TTypes, TParent, TItems[0]>>
      : TItems extends null
        ? null
        : never

/**
 * A valid `fields` literal for a parent, or the texts of the literal's errors, which the compiler then shows.
 * The compiler infers the literal from the branches with `TFields`. `infer TError` prevents inference from
 * the errors.
 */
export type CheckedFields<TTypes extends Types, TParent extends Parent, TFields extends FieldsInput> =
  FieldsErrors<TTypes, TParent, ParseFields<TFields>> extends infer TError
    ? null extends TError
      ? TFields
      : [TError] extends [never]
        ? TFields
        : TError
    : never
