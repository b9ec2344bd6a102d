import type { Field, Typed, ValueField } from './field.ts'
import type { Merged } from './inference/merged.ts'

/** Whether options set a flag. */
export type Flag<TOptions, TName extends string> = TOptions extends { readonly [name in TName]: true }
  ? true
  : false

/** Whether an answer that asks for the field always has it: only then is it no optional property. */
export type Sure<TOptions> = TOptions extends {
  readonly required: true
  readonly scope?: undefined
  readonly policy?: undefined
  readonly since?: undefined
  readonly removedIn?: undefined
}
  ? true
  : false

/** A field with a value, with what its options say read off their literal types. */
export type Value<TOutput, TInput, TOptions> = Typed<
  ValueField,
  {
    output: TOutput
    input: TOptions extends { readonly resolve: (...args: never) => unknown } ? never : TInput
    required: Flag<TOptions, 'required'>
    sure: Sure<TOptions>
    default: Flag<TOptions, 'default'>
    targets: never
    parameters: TOptions extends { readonly parameters: infer TParameters }
      ? keyof TParameters & string
      : never
  }
>

/** What an answer carries of a field. */
export type OutputOf<TField> = TField extends Field<infer TTypes> ? TTypes['output'] : never
/** What a write gives for a field. */
export type InputOf<TField> = TField extends Field<infer TTypes> ? TTypes['input'] : never
/** The members of an object field. */
export type Members = { readonly [name: string]: Field }
/** The members that every object has. */
export type RequiredNames<TMembers> = {
  [N in keyof TMembers]: TMembers[N] extends Field<infer TTypes>
    ? TTypes['required'] extends true
      ? N
      : never
    : never
}[keyof TMembers]
/** An object field as it is answered. */
export type ObjectOutput<TMembers> = Merged<
  { [N in RequiredNames<TMembers>]: OutputOf<TMembers[N]> } & {
    [N in Exclude<keyof TMembers, RequiredNames<TMembers>>]?: OutputOf<TMembers[N]>
  }
>
/** An object field as it is written. */
export type ObjectInput<TMembers> = Merged<
  { readonly [N in RequiredNames<TMembers>]: InputOf<TMembers[N]> } & {
    readonly [N in Exclude<keyof TMembers, RequiredNames<TMembers>>]?: InputOf<TMembers[N]> | undefined
  }
>
/** One name or a list of them, as a union. */
export type Names<TTargets> = TTargets extends readonly (infer TName extends string)[]
  ? TName
  : TTargets & string
