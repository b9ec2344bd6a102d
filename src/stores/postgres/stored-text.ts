/**
 * What a column of type `text` cannot give back: Postgres has no U+0000, and PGlite takes a first U+FEFF for a byte
 * order mark. The backslash that stands before their marks needs one itself.
 */
const MARKS = [
  ['\\', '\\'],
  ['\u0000', '0'],
  ['\ufeff', 'f'],
] as const

/** Text as a column of type `text` can hold it; most of it stays as it is. No two texts are stored as the same. */
export const toStored = (text: string): string =>
  MARKS.reduce((stored, [character, mark]) => stored.replaceAll(character, `\\${mark}`), text)

/** The text that `toStored` was given. */
export const fromStored = (stored: string): string =>
  stored.includes('\\')
    ? stored.replaceAll(/\\(.)/g, (_, mark) => MARKS.find(([, other]) => other === mark)?.[0] ?? mark)
    : stored
