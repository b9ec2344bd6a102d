/** A modifier in call form: `.limit(5)`. The argument is text, without white space outside of quotes. */
export type Modifier = { readonly name: string; readonly argument: string }

/** One item of a field expression: `photos.limit(2).as(newest){name}`. */
export type FieldItem = {
  readonly name: string
  /** The name in the answer: the alias where there is one. */
  readonly key: string
  /** In the order written, the alias included, the old `.fields(…)` not: it becomes `fields`. */
  readonly modifiers: readonly Modifier[]
  /** What is asked of each node that the item leads to; undefined where nothing is said. */
  readonly fields: FieldExpression | undefined
}

/** A parsed field expression, in the order written. */
export type FieldExpression = readonly FieldItem[]
