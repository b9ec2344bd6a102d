/**
 * Converts a name from camel case: `createdAt` to `created_at`, `userID` to `user_id`. An underscore goes before each
 * capital that follows a small letter or a digit.
 */
export const toSnakeCase = (name: string): string =>
  name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase()

type Capital = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' extends infer TText ? LettersOf<TText> : never
type LettersOf<TText> = TText extends `${infer THead}${infer TTail}` ? THead | LettersOf<TTail> : never

type SnakeTail<TText, TPrevious> = TText extends `${infer THead}${infer TTail}`
  ? `${THead extends Capital ? (TPrevious extends Capital | '_' ? '' : '_') : ''}${Lowercase<THead>}${SnakeTail<TTail, THead>}`
  : ''

/** The type of the result of {@link toSnakeCase}. */
export type SnakeCase<TName> = SnakeTail<TName, '_'>

/** A name in camel case: `createdAt` for `created_at`. */
export type CamelCase<TName> = TName extends `${infer THead}_${infer TTail}`
  ? `${THead}${Capitalize<CamelCase<TTail>>}`
  : TName & string
