/**
 * The type of a parameter from whose argument the compiler infers `TInferred`, and which it checks as a `TShape`. A
 * parameter of the type `TInferred` would accept each member of the argument, such as a misspelled policy.
 */
export type CheckedAs<TShape, TInferred> = [TInferred] extends [never] ? TInferred : TShape

/**
 * Returns options with the type that was inferred from them. Without an argument, it is that of an empty object.
 */
export const toInferred = <TOptions extends object>(options: object | undefined): TOptions =>
  (options ?? {}) as TOptions
