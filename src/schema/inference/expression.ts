/** The types of `fields`: an expression, an array of expressions, or `undefined` for the defaults. */
export type FieldsInput = string | readonly string[] | undefined

/**
 * An item of an expression that is more than a name. For example, `photos.limit(2).as(newest){name}` has the
 * key `newest`, the modifiers `'limit' | 'as'`, and the items `name` below it. `below` is undefined for an
 * item without `{…}`.
 */
export type ExpressionItem = readonly [name: string, key: string, modifiers: string, below: unknown]

/** A text that is more than a name and must be parsed. */
type CompoundText = `${string}${'.' | '{' | '}' | '(' | ')'}${string}`

/** An argument whose brackets or quotes may contain the next `)`. */
type NestedArgument = `${string}${'(' | '[' | '{' | '"'}${string}`

type WithSpace = `${string}${' ' | '\n' | '\t' | '\r'}${string}`

/**
 * Removes all occurrences of a part, three in each step, because the compiler allows at most a thousand
 * steps.
 */
type RemoveAll<
  TText extends string,
  TPart extends string,
  TDone extends string = '',
> = TText extends `${infer TFirst}${TPart}${infer TSecond}${TPart}${infer TThird}${TPart}${infer TRest}`
  ? RemoveAll<TRest, TPart, `${TDone}${TFirst}${TSecond}${TThird}`>
  : TText extends `${infer TFirst}${TPart}${infer TRest}`
    ? RemoveAll<TRest, TPart, `${TDone}${TFirst}`>
    : `${TDone}${TText}`

/** Removes white space. It removes runs of spaces first, so that an indented expression needs few steps. */
type StripWhiteSpace<TText extends string> = TText extends WithSpace
  ? RemoveAll<RemoveAll<RemoveAll<RemoveAll<RemoveAll<TText, '        '>, ' '>, '\n'>, '\t'>, '\r'>
  : TText

type JoinFields<TTexts extends readonly string[], TDone extends string = ''> = TTexts extends readonly [
  infer TText extends string,
  ...infer TRest extends readonly string[],
]
  ? TRest extends readonly []
    ? `${TDone}${TText}`
    : JoinFields<TRest, `${TDone}${TText},`>
  : TTexts extends readonly []
    ? ''
    : string

/** The beginning of a text up to the first character that cannot be part of a name. */
type LeadingName<TText extends string> = TText extends `${infer THead}.${string}`
  ? LeadingName<THead>
  : TText extends `${infer THead}{${string}`
    ? LeadingName<THead>
    : TText extends `${infer THead}}${string}`
      ? LeadingName<THead>
      : TText extends `${infer THead})${string}`
        ? LeadingName<THead>
        : TText

/**
 * `[items, rest]`, in which `rest` begins with the closing bracket of the level, or `null` if the text cannot
 * be parsed.
 */
type ReadItems<TText extends string, TDone = never> = TText extends `${infer THead},${infer TRest}`
  ? THead extends CompoundText
    ? ReadNextItems<ReadItem<TText, LeadingName<THead>>, TDone>
    : ReadItems<TRest, TDone | THead>
  : TText extends CompoundText
    ? ReadNextItems<ReadItem<TText, LeadingName<TText>>, TDone>
    : [TDone | TText, '']

/** Reads the items after an item. */
type ReadNextItems<TRead, TDone> = TRead extends [infer TItem, infer TRest extends string]
  ? TRest extends `,${infer TNext}`
    ? ReadItems<TNext, TDone | TItem>
    : [TDone | TItem, TRest]
  : null

type ReadItem<TText extends string, TName extends string> = TText extends `${TName}${infer TRest}`
  ? ReadModifierCalls<TRest, TName, TName>
  : null

/** Parses what follows a name. The result is `[item, rest]`, or `null` if the text cannot be parsed. */
type ReadModifierCalls<
  TText extends string,
  TName extends string,
  TKey extends string,
  TModifiers extends string = never,
  TBelow = undefined,
> = TText extends `.${infer TModifier}(${infer TRest}`
  ? TModifier extends 'fields'
    ? ReadItems<TRest> extends [infer TItems, `)${infer TNext}`]
      ? ReadModifierCalls<TNext, TName, TKey, TModifiers, TItems>
      : null
    : TRest extends `${infer TArgument})${infer TNext}`
      ? TArgument extends NestedArgument
        ? null
        : TModifier extends 'as'
          ? ReadAlias<TNext, TName, TArgument, TModifiers | 'as', TBelow>
          : ReadModifierCalls<TNext, TName, TKey, TModifiers | TModifier, TBelow>
      : null
  : TText extends `{${infer TRest}`
    ? ReadItems<TRest> extends [infer TItems, `}${infer TNext}`]
      ? [[TName, TKey, TModifiers, TItems], TNext]
      : null
    : [[TName, TKey, TModifiers, TBelow], TText]

/** Reads an alias. If the alias is not a literal, the type of the whole result is unknown. */
type ReadAlias<
  TText extends string,
  TName extends string,
  TKey extends string,
  TModifiers extends string,
  TBelow,
> = IsLiteral<TKey> extends true ? ReadModifierCalls<TText, TName, TKey, TModifiers, TBelow> : null

type ParseFieldsText<TText extends string> = TText extends ''
  ? undefined
  : ReadItems<TText> extends [infer TItems, '']
    ? TItems
    : null

/** Whether a text is a literal: neither `string` nor a template with a placeholder. */
export type IsLiteral<TText extends string> =
  Record<never, never> extends { [K in TText]: true } ? false : true

/**
 * The items of a literal, as a union. An item that is only a name becomes the name itself, which is cheaper
 * for the compiler. `undefined` means the default fields. `null` means that the text cannot be parsed at
 * compile time: an argument contains quotes or brackets, an alias contains a placeholder, or brackets do not
 * match. A placeholder elsewhere becomes a name that is not a literal.
 */
export type ParseFields<TFields extends FieldsInput> = TFields extends readonly string[]
  ? ParseFieldsText<StripWhiteSpace<JoinFields<TFields>>>
  : TFields extends string
    ? ParseFieldsText<StripWhiteSpace<TFields>>
    : undefined
