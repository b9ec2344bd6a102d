import type { Simplify } from './simplify.ts'

/** A time in a write: integer milliseconds, a `Date`, or ISO 8601. */
export type DateInput = number | string | Date

/**
 * Whether a write must, may or cannot contain a value. `null` means that a type or an edge does not have the
 * field.
 */
type WriteRequirement<TDeclared> = [TDeclared] extends [{ input: never } | null]
  ? 'computed'
  : [TDeclared] extends [{ required: true }]
    ? 'required'
    : 'optional'

/** The type that a write accepts for a value. */
export type InputOfInfo<TDeclared> = TDeclared extends { input: infer TInput } ? TInput : never

/** The values of a write by name. `TDeclared` is the type information by name. */
export type WrittenValues<TDeclared> = Simplify<
  {
    readonly [N in keyof TDeclared as WriteRequirement<TDeclared[N]> extends 'required'
      ? N
      : never]: InputOfInfo<TDeclared[N]>
  } & {
    readonly [N in keyof TDeclared as WriteRequirement<TDeclared[N]> extends 'optional' ? N : never]?:
      | InputOfInfo<TDeclared[N]>
      | undefined
  }
>
