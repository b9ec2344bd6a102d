import type { Parent, TypeInfoOf } from './parent.ts'
import type { Simplify } from './simplify.ts'
import type { InputOfInfo } from './written-values.ts'

/** The values of any parameters by name, for edges that are not known at compile time. */
export type UntypedParameters = { readonly [name: string]: unknown }

type RequiredName<TParameters> = {
  [N in keyof TParameters]: TypeInfoOf<TParameters[N]> extends { required: true } ? N : never
}[keyof TParameters]

/**
 * The option `parameters` for declared parameters, of which `TRequired` are required. Most edges have no
 * required parameters, so their type is the one that is cheap for the compiler.
 */
type GivenValues<TParameters, TRequired> = [TRequired] extends [never]
  ? { readonly [N in keyof TParameters]?: InputOfInfo<TypeInfoOf<TParameters[N]>> | undefined } | undefined
  : Simplify<
      { readonly [N in keyof TParameters & TRequired]: InputOfInfo<TypeInfoOf<TParameters[N]>> } & {
        readonly [N in Exclude<keyof TParameters, TRequired>]?:
          | InputOfInfo<TypeInfoOf<TParameters[N]>>
          | undefined
      }
    >

/** The values that a call gives for declared parameters: `undefined` without parameters. */
export type ParametersInput<TParameters> = TParameters extends unknown
  ? string extends keyof TParameters
    ? UntypedParameters | undefined
    : [keyof TParameters] extends [never]
      ? undefined
      : GivenValues<TParameters, RequiredName<TParameters>>
  : never

/**
 * The option `parameters` of a call to an edge. The type includes `undefined` unless a parameter is required,
 * and is `undefined` if the edge has no parameters. Several edges form a union.
 */
export type ParametersOption<TParent extends Parent> = [TParent] extends [never]
  ? UntypedParameters | undefined
  : ParametersInput<TParent['parameters']>
