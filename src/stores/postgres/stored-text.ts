/**
 * Characters that a `text` column cannot return. Postgres does not support U+0000, and PGlite treats a
 * leading U+FEFF as a byte order mark. The backslash begins an escape, so it is escaped too.
 */
const ESCAPES = [
  ['\\', '\\'],
  ['\u0000', '0'],
  ['\ufeff', 'f'],
] as const

/** Encodes text for a `text` column; most text stays unchanged. The encoding is injective. */
export const encodeText = (text: string): string =>
  ESCAPES.reduce((encodedText, [character, code]) => encodedText.replaceAll(character, `\\${code}`), text)

/** Decodes the text that `encodeText` created. */
export const decodeText = (encodedText: string): string =>
  encodedText.includes('\\')
    ? encodedText.replaceAll(/\\(.)/g, (_, code) => ESCAPES.find(([, other]) => other === code)?.[0] ?? code)
    : encodedText
