/** The options of a parameter without a default. */
export type PlainParameterOptions = {
  /** The description in the OpenAPI document and in the Explorer. */
  readonly description?: string | undefined
  /** Whether a caller must give a value. */
  readonly required?: boolean | undefined
  /** Whether `null` is a value too. Only parameters of actions may have it. Default false. */
  readonly nullable?: boolean | undefined
}

/** The options of every parameter with a scalar value. */
export type ParameterOptions<TInput> = PlainParameterOptions & {
  /** The value if a caller gives none. Without a default, the value is then `undefined`. */
  readonly default?: TInput | undefined
}

/** The options of a parameter that is a number. */
export type NumberParameterOptions = ParameterOptions<number> & {
  /** The smallest number. */
  readonly min?: number | undefined
  /** The largest number. */
  readonly max?: number | undefined
}

/** The options of a parameter that is a text. */
export type StringParameterOptions = ParameterOptions<string> & {
  /** The length of the longest text, in UTF-16 units. Default 65,536. */
  readonly maxLength?: number | undefined
}

/** The options of a parameter that is a list. */
export type ListParameterOptions = PlainParameterOptions & {
  /** The number of items of the longest list. Default 50. */
  readonly maxItems?: number | undefined
}

/** The options of a parameter that names a node. */
export type IdParameterOptions = ParameterOptions<'me'> & {
  /**
   * The names of the types that the node may have. A graph with app-scoped ids accepts the ids of these
   * types; without `types`, only app-scoped ids and `me`.
   */
  readonly types?: readonly string[] | undefined
}
