const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u
/** Characters that could end the text or change the direction of the file, and lone surrogates. */
const UNSAFE_CHARACTERS = /['\\\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Co}\u2028\u2029]/gu

const escapeCharacter = (character: string): string =>
  character === "'" || character === '\\'
    ? `\\${character}`
    : `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`

/** Prints a text as a literal of TypeScript. */
export const printText = (text: string): string => `'${text.replaceAll(UNSAFE_CHARACTERS, escapeCharacter)}'`

/** Prints the name of a member. The quoted name `__proto__` would set the prototype of the object. */
export const printName = (name: string): string => {
  if (name === '__proto__') return "['__proto__']"
  return IDENTIFIER.test(name) ? name : printText(name)
}

type Literal =
  | string
  | number
  | boolean
  | undefined
  | readonly Literal[]
  | { readonly [name: string]: Literal }

/** Prints a value on one line. Members that are undefined are left out. */
export const printLine = (value: Literal): string => {
  if (typeof value === 'string') return printText(value)
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return `[${value.map(printLine).join(', ')}]`
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [`${printName(name)}: ${printLine(member)}`],
  )
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
