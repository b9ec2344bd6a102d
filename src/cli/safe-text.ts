const MAX_NAME_LENGTH = 100

/**
 * Characters that could control a terminal or change the direction of its text: control and format
 * characters, separators of lines, and unassigned characters.
 */
const UNSAFE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Co}\u2028\u2029]/gu

const escapeCharacter = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`

/** Replaces characters that could control a terminal. Line breaks are kept if `keepsLines` is true. */
export const escapeText = (text: string, keepsLines = false): string =>
  text.replaceAll(UNSAFE_CHARACTERS, character =>
    keepsLines && character === '\n' ? character : escapeCharacter(character),
  )

/** Quotes a stored name for a line of output. A long name is shortened. */
export const quoteName = (name: string): string => {
  const quoted = JSON.stringify(name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name)
  return escapeText(quoted)
}

const SECRET_PARAMETER = /pass|user|token|secret|auth|key/i
const USER_PARAMETER = /user/i

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A part of a URL that must not be printed. The name of a user can be a part of other words. */
type Credential = { readonly text: string; readonly isUser: boolean }

/** Returns the credentials in a URL, as they are written and decoded, the longest first. */
const findCredentials = (url: URL): readonly Credential[] => {
  const parameters = [...url.searchParams].filter(([name]) => SECRET_PARAMETER.test(name))
  const parts = [
    { text: url.username, isUser: true },
    { text: url.password, isUser: false },
    ...parameters.map(([name, text]) => ({ text, isUser: USER_PARAMETER.test(name) })),
  ]
  return parts
    .flatMap(({ text, isUser }) =>
      [text, decode(text), encodeURIComponent(text)].map(form => ({ text: form, isUser })),
    )
    .filter(({ text }) => text !== '')
    .sort((a, b) => b.text.length - a.text.length)
}

/** Names of users that are not secrets, because they are the names of schemes in the messages of this program. */
const SCHEME_NAMES = ['sqlite', 'postgres', 'redis', 'rediss']

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** Removes the name of a user wherever it is a whole word. */
const maskUser = (message: string, user: string): string => {
  if (SCHEME_NAMES.includes(user)) return message
  const pattern = `(?<![\\p{L}\\p{N}_])${escapePattern(user)}(?![\\p{L}\\p{N}_])`
  return message.replaceAll(new RegExp(pattern, 'gu'), '…')
}

/** Removes the credentials of a URL from the message of a driver. */
export const maskUrl = (message: string, urlText: string): string => {
  if (!URL.canParse(urlText)) return urlText.includes('@') ? message.replaceAll(urlText, '…') : message
  return findCredentials(new URL(urlText)).reduce(
    (masked, { text, isUser }) => (isUser ? maskUser(masked, text) : masked.replaceAll(text, '…')),
    message,
  )
}
