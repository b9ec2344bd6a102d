import { isNonArrayObject, type JsonObject, type JsonValue } from '../../../base/json.ts'

/** Formats a text as a string of TypeScript. */
export const quoteText = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

const formatName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoteText(name))

/** Formats a value as a literal of TypeScript. */
export const formatLiteral = (value: JsonValue): string => {
  if (typeof value === 'string') return quoteText(value)
  if (Array.isArray(value)) return `[${value.map(formatLiteral).join(', ')}]`
  if (!isNonArrayObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, member]) => `${formatName(name)}: ${formatLiteral(member)}`,
  )
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

const MAX_LINE_LENGTH = 80

/** Formats an object as an option of a call, with its members in lines of their own if they do not fit in one. */
export const formatObjectOption = (value: JsonObject): string => {
  const literal = formatLiteral(value)
  if (literal.length <= MAX_LINE_LENGTH) return literal
  const members = Object.entries(value).map(
    ([name, member]) => `    ${formatName(name)}: ${formatLiteral(member)},`,
  )
  return `{\n${members.join('\n')}\n  }`
}

/** Formats a call whose result is a constant, with its options in one line if they fit. */
export const formatAwaitedCall = (
  result: string,
  method: string,
  options: readonly (readonly [name: string, literal: string])[],
): string => {
  const texts = options.map(([name, literal]) => `${name}: ${literal}`)
  const optionsText = texts.length === 0 ? '' : `, { ${texts.join(', ')} }`
  const code = `const ${result} = await ${method}(token${optionsText})`
  return code.length <= MAX_LINE_LENGTH
    ? code
    : `const ${result} = await ${method}(token, {\n  ${texts.join(',\n  ')},\n})`
}

/** Formats a text as a word of a shell. */
export const quoteShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
