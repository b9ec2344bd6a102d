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

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the credentials in a URL, as they are written and decoded. */
const findCredentials = (url: URL): readonly string[] => {
  const parameters = [...url.searchParams].flatMap(([name, value]) =>
    SECRET_PARAMETER.test(name) ? [value, encodeURIComponent(value)] : [],
  )
  const parts = [url.username, url.password].flatMap(part => [part, decode(part)])
  return [...parts, ...parameters].filter(part => part !== '').sort((a, b) => b.length - a.length)
}

/** Removes the credentials of a URL from the message of a driver. */
export const maskUrl = (message: string, urlText: string): string => {
  if (!URL.canParse(urlText)) return urlText.includes('@') ? message.replaceAll(urlText, '…') : message
  return findCredentials(new URL(urlText)).reduce((text, part) => text.replaceAll(part, '…'), message)
}
