/** What `fields` may be: an expression, a list of them, or nothing for the defaults. */
export type FieldsInput = string | readonly string[] | undefined

/**
 * An item of an expression that is more than a name: `photos.limit(2).as(newest){name}` has the key `newest`, the modifiers
 * `'limit' | 'as'`, and below it the items of `name`; undefined where nothing is said of what is below.
 */
export type Item = readonly [name: string, key: string, modifiers: string, below: unknown]

/** What has to be taken apart: all that is more than a name. */
type Complex = `${string}${'.' | '{' | '}' | '(' | ')'}${string}`

/** An argument whose end a look for the next `)` might miss. */
type Nested = `${string}${'(' | '[' | '{' | '"'}${string}`

type WithSpace = `${string}${' ' | '\n' | '\t' | '\r'}${string}`

/** Three at a time, since the compiler follows no more than a thousand steps. */
type Without<
  TText extends string,
  TPart extends string,
  TDone extends string = '',
> = TText extends `${infer TFirst}${TPart}${infer TSecond}${TPart}${infer TThird}${TPart}${infer TRest}`
  ? Without<TRest, TPart, `${TDone}${TFirst}${TSecond}${TThird}`>
  : TText extends `${infer TFirst}${TPart}${infer TRest}`
    ? Without<TRest, TPart, `${TDone}${TFirst}`>
    : `${TDone}${TText}`

/** Runs of spaces go first, so that an indented expression takes few steps. */
type Strip<TText extends string> = TText extends WithSpace
  ? Without<Without<Without<Without<Without<TText, '        '>, ' '>, '\n'>, '\t'>, '\r'>
  : TText

type Join<TTexts extends readonly string[], TDone extends string = ''> = TTexts extends readonly [
  infer TText extends string,
  ...infer TRest extends readonly string[],
]
  ? TRest extends readonly []
    ? `${TDone}${TText}`
    : Join<TRest, `${TDone}${TText},`>
  : TTexts extends readonly []
    ? ''
    : string

/** What stands in front of the first sign that is none of a name. */
type NameIn<TText extends string> = TText extends `${infer THead}.${string}`
  ? NameIn<THead>
  : TText extends `${infer THead}{${string}`
    ? NameIn<THead>
    : TText extends `${infer THead}}${string}`
      ? NameIn<THead>
      : TText extends `${infer THead})${string}`
        ? NameIn<THead>
        : TText

/** `[items, rest]`, where the rest begins with what closes the level; null where the text cannot be read. */
type ReadItems<TText extends string, TDone = never> = TText extends `${infer THead},${infer TRest}`
  ? THead extends Complex
    ? ReadOn<ReadItem<TText, NameIn<THead>>, TDone>
    : ReadItems<TRest, TDone | THead>
  : TText extends Complex
    ? ReadOn<ReadItem<TText, NameIn<TText>>, TDone>
    : [TDone | TText, '']

/** Goes on behind an item. */
type ReadOn<TRead, TDone> = TRead extends [infer TItem, infer TRest extends string]
  ? TRest extends `,${infer TNext}`
    ? ReadItems<TNext, TDone | TItem>
    : [TDone | TItem, TRest]
  : null

type ReadItem<TText extends string, TName extends string> = TText extends `${TName}${infer TRest}`
  ? ReadModifiers<TRest, TName, TName>
  : null

/** `[item, rest]` behind a name; null where the text cannot be read. */
type ReadModifiers<
  TText extends string,
  TName extends string,
  TKey extends string,
  TModifiers extends string = never,
  TBelow = undefined,
> = TText extends `.${infer TModifier}(${infer TRest}`
  ? TModifier extends 'fields'
    ? ReadItems<TRest> extends [infer TItems, `)${infer TNext}`]
      ? ReadModifiers<TNext, TName, TKey, TModifiers, TItems>
      : null
    : TRest extends `${infer TArgument})${infer TNext}`
      ? TArgument extends Nested
        ? null
        : TModifier extends 'as'
          ? ReadAlias<TNext, TName, TArgument, TModifiers | 'as', TBelow>
          : ReadModifiers<TNext, TName, TKey, TModifiers | TModifier, TBelow>
      : null
  : TText extends `{${infer TRest}`
    ? ReadItems<TRest> extends [infer TItems, `}${infer TNext}`]
      ? [[TName, TKey, TModifiers, TItems], TNext]
      : null
    : [[TName, TKey, TModifiers, TBelow], TText]

/** A key that is not known makes the whole answer unknown. */
type ReadAlias<
  TText extends string,
  TName extends string,
  TKey extends string,
  TModifiers extends string,
  TBelow,
> = IsLiteral<TKey> extends true ? ReadModifiers<TText, TName, TKey, TModifiers, TBelow> : null

type ParseText<TText extends string> = TText extends ''
  ? undefined
  : ReadItems<TText> extends [infer TItems, '']
    ? TItems
    : null

/** Whether text is known to the letter: neither `string` nor a template with a placeholder. */
export type IsLiteral<TText extends string> =
  Record<never, never> extends { [K in TText]: true } ? false : true

/**
 * The items of a literal, as a union; one that is no more than a name is the name, since most are, and it costs the
 * compiler less. Undefined stands for the defaults. Null is text that the library alone can read: with quotes or brackets in
 * an argument, a placeholder in an alias, brackets that do not match. A placeholder elsewhere makes a name that is no
 * literal.
 */
export type Parse<TFields extends FieldsInput> = TFields extends readonly string[]
  ? ParseText<Strip<Join<TFields>>>
  : TFields extends string
    ? ParseText<Strip<TFields>>
    : undefined
