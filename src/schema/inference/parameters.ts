import type { Parent, TypeInfoOf } from './parent.ts'
import type { WrittenValues } from './written-values.ts'

/** The values of any parameters by name, for edges that are not known at compile time. */
export type UntypedParameters = { readonly [name: string]: unknown }

/** The values that a call gives to declared parameters. */
type GivenValues<TParameters> = WrittenValues<{ [N in keyof TParameters]: TypeInfoOf<TParameters[N]> }>

type OrUndefined<TValues> = Record<never, never> extends TValues ? TValues | undefined : TValues

type OptionOf<TParameters> = TParameters extends unknown
  ? string extends keyof TParameters
    ? UntypedParameters | undefined
    : [keyof TParameters] extends [never]
      ? undefined
      : OrUndefined<GivenValues<TParameters>>
  : never

/**
 * The option `parameters` of a call to an edge. The type includes `undefined` unless a parameter is required,
 * and is `undefined` if the edge has no parameters. Several edges form a union.
 */
export type ParametersOption<TParent extends Parent> = [TParent] extends [never]
  ? UntypedParameters | undefined
  : OptionOf<TParent['parameters']>
