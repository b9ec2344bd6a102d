/** The value of an option that is true or false, or left out. */
export type Flag = boolean | undefined

/** The options of a parameter without a default. The type of the parameter depends on the types of some of them. */
export type PlainParameterOptions<TRequired extends Flag = Flag, TNullable extends Flag = Flag> = {
  /** The description in the OpenAPI document and in the Explorer. */
  readonly description?: string | undefined
  /** Whether a caller must give a value. */
  readonly required?: TRequired
  /** Whether `null` is a value too. Only parameters of actions may have it. Default false. */
  readonly nullable?: TNullable
}

/** The options of every parameter with a scalar value. */
export type ParameterOptions<
  TDefault = string | number | boolean | Date | undefined,
  TRequired extends Flag = Flag,
  TNullable extends Flag = Flag,
> = PlainParameterOptions<TRequired, TNullable> & {
  /** The value if a caller gives none. Without a default, the value is then `undefined`. */
  readonly default?: TDefault
}

/** The options of a parameter that is a number. */
export type NumberParameterOptions<
  TDefault = number | undefined,
  TRequired extends Flag = Flag,
  TNullable extends Flag = Flag,
> = ParameterOptions<TDefault, TRequired, TNullable> & {
  /** The smallest number. */
  readonly min?: number | undefined
  /** The largest number. */
  readonly max?: number | undefined
}

/** The options of a parameter that is a text. */
export type StringParameterOptions<
  TDefault = string | undefined,
  TRequired extends Flag = Flag,
  TNullable extends Flag = Flag,
> = ParameterOptions<TDefault, TRequired, TNullable> & {
  /** The length of the longest text, in UTF-16 units. Default 65,536. */
  readonly maxLength?: number | undefined
}

/** The options of a parameter that is a list. */
export type ListParameterOptions<TRequired extends Flag, TNullable extends Flag> = PlainParameterOptions<
  TRequired,
  TNullable
> & {
  /** The number of items of the longest list. Default 50. */
  readonly maxItems?: number | undefined
}

/** The options of a parameter that names a node. */
export type IdParameterOptions<TDefault, TRequired extends Flag, TNullable extends Flag> = ParameterOptions<
  TDefault,
  TRequired,
  TNullable
> & {
  /**
   * The names of the types that the node may have. A graph with app-scoped ids accepts the ids of these
   * types; without `types`, only app-scoped ids and `me`.
   */
  readonly types?: readonly string[] | undefined
}
