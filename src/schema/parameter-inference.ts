import type { Simplify } from './inference/simplify.ts'
import type { Parameter } from './parameter.ts'

/** The node of a parameter, whose type is known with the schema. It exists only at compile time. */
export type NodeOf<TType extends string> = { readonly '~node': TType }

/** The type that `run` receives for a parameter, without the types of nodes. */
export type ItemValue<TParameter> = TParameter extends { readonly '~types'?: { value: infer TValue } }
  ? TValue
  : never
/** The type that a call gives for a parameter. */
export type ItemInput<TParameter> = TParameter extends { readonly '~types'?: { input: infer TInput } }
  ? TInput
  : never

type RequiredMember<TMembers> = {
  [N in keyof TMembers]: TMembers[N] extends { readonly '~types'?: { required: true } } ? N : never
}[keyof TMembers]

/** The object that a call gives for declared members. */
export type MemberInputs<TMembers> = Simplify<
  { readonly [N in RequiredMember<TMembers>]: ItemInput<TMembers[N]> } & {
    readonly [N in Exclude<keyof TMembers, RequiredMember<TMembers>>]?: ItemInput<TMembers[N]> | undefined
  }
>

/** A value, or `null` if a parameter accepts it. */
type OrNull<TValue, TNullable> = [TNullable] extends [true] ? TValue | null : TValue

/** A parameter whose types are inferred from the literal types of its options. */
export type TypedParameter<TValue, TInput, TDefault, TRequired, TNullable> = Parameter<{
  value: OrNull<TValue, TNullable>
  input: OrNull<TInput, TNullable>
  alwaysPresent: [TRequired] extends [true]
    ? true
    : [TDefault] extends [string | number | boolean | Date]
      ? true
      : false
  required: [TRequired] extends [true] ? true : false
}>
