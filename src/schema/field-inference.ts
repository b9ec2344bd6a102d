import type { Field, ValueField, ViewerEdgeField, WithTypeInfo } from './field.ts'
import type { Simplify } from './inference/simplify.ts'

/** Whether options set a flag. */
export type HasFlag<TOptions, TName extends string> = TOptions extends { readonly [name in TName]: true }
  ? true
  : false

/**
 * Whether a result always contains the field if the field is requested. Otherwise, the property is optional.
 */
export type AlwaysPresent<TOptions> = TOptions extends (
  | { readonly required: true }
  | { readonly present: true }
) & {
  readonly scope?: undefined
  readonly policy?: undefined
  readonly since?: undefined
  readonly removedIn?: undefined
}
  ? true
  : false

/** A field with a value. Its type information is inferred from the literal types of its options. */
export type TypedValueField<TOutput, TInput, TOptions> = WithTypeInfo<
  ValueField,
  {
    output: TOutput
    input: TOptions extends {
      /** A computed field cannot be written. */
      readonly resolve: (...args: never) => unknown
    }
      ? never
      : TInput
    required: HasFlag<TOptions, 'required'>
    alwaysPresent: AlwaysPresent<TOptions>
    default: HasFlag<TOptions, 'default'>
    targets: never
    parameters: TOptions extends { readonly parameters: infer TParameters }
      ? keyof TParameters & string
      : never
  }
>

/**
 * A field about the edge of the viewer. The type of a field of that edge is known only with the edges of the node, so
 * the type information names it.
 */
export type TypedViewerEdgeField<TEdge, TOptions> = WithTypeInfo<
  ViewerEdgeField,
  {
    output: TOptions extends { readonly field: string } ? unknown : boolean
    input: never
    required: false
    alwaysPresent: TOptions extends { readonly field: string }
      ? false
      : AlwaysPresent<TOptions & { readonly required: true }>
    default: HasFlag<TOptions, 'default'>
    targets: never
    parameters: never
    viewerEdge: TOptions extends { readonly field: infer TField extends string }
      ? readonly [edge: TEdge, field: TField]
      : undefined
  }
>

/** The type of a field in a result. */
export type OutputOf<TField> = TField extends Field<infer TTypes> ? TTypes['output'] : never
/** The type of a field in a write. */
export type InputOf<TField> = TField extends Field<infer TTypes> ? TTypes['input'] : never
/** The members of an object field. */
export type ObjectMembers = { readonly [name: string]: Field }
/** The names of the required members. */
export type RequiredMemberName<TMembers> = {
  [N in keyof TMembers]: TMembers[N] extends Field<infer TTypes>
    ? TTypes['required'] extends true
      ? N
      : never
    : never
}[keyof TMembers]
/** The type of an object field in a result. */
export type ObjectOutput<TMembers> = Simplify<
  { [N in RequiredMemberName<TMembers>]: OutputOf<TMembers[N]> } & {
    [N in Exclude<keyof TMembers, RequiredMemberName<TMembers>>]?: OutputOf<TMembers[N]>
  }
>
/** The type of an object field in a write. */
export type ObjectInput<TMembers> = Simplify<
  { readonly [N in RequiredMemberName<TMembers>]: InputOf<TMembers[N]> } & {
    readonly [N in Exclude<keyof TMembers, RequiredMemberName<TMembers>>]?: InputOf<TMembers[N]> | undefined
  }
>
/** A name, or the names in an array, as a union. */
export type TargetNames<TTargets> = TTargets extends readonly (infer TName extends string)[]
  ? TName
  : TTargets & string
