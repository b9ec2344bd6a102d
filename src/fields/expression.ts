/**
 * A modifier in call form: `.limit(5)`. `argument` is the text between the parentheses, without white space
 * outside of quotes.
 */
export type Modifier = { readonly name: string; readonly argument: string }

/** One item of a field expression: `photos.limit(2).as(newest){name}`. */
export type FieldItem = {
  readonly name: string
  /** The name in the result: the alias, or the name if there is no alias. */
  readonly key: string
  /**
   * The modifiers in the order of the text, including `as`. The old `.fields(…)` is not a modifier: it
   * becomes `fields`.
   */
  readonly modifiers: readonly Modifier[]
  /** The selected fields below the item, or `undefined` if there are none. */
  readonly fields: FieldExpression | undefined
}

/** A parsed field expression, in the order of the text. */
export type FieldExpression = readonly FieldItem[]

/** The description of a valid option `fields`. */
export const FIELDS_EXPECTED = 'a string or an array of strings'
