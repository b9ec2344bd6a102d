/** Types that SQLite stores as another one, by their declared names. */
const DECLARED_TYPES: ReadonlyMap<string, string> = new Map([
  ['bool', 'boolean'],
  ['boolean', 'boolean'],
  ['date', 'date'],
  ['datetime', 'datetime'],
  ['timestamp', 'datetime'],
  ['timestamptz', 'datetime'],
  ['json', 'json'],
  ['jsonb', 'json'],
  // In a STRICT table, a column of this type stores any value as it is.
  ['any', 'blob'],
])

/** The rules by which SQLite finds the affinity of a declared type. The first one that matches decides. */
const AFFINITIES: readonly (readonly [words: RegExp, type: string])[] = [
  [/int/, 'integer'],
  [/char|clob|text/, 'text'],
  [/blob|^$/, 'blob'],
  [/real|floa|doub/, 'real'],
]

/** Returns the type in a description of a column with a declared type. */
export const toColumnType = (declaredType: string): string => {
  const words = declaredType.toLowerCase()
  const name = words.replace(/\(.*$/s, '').trim()
  return (
    DECLARED_TYPES.get(name) ?? AFFINITIES.find(([expression]) => expression.test(words))?.[1] ?? 'numeric'
  )
}

/**
 * Returns the number of digits after the point of a declared type such as `decimal(10, 2)`. SQLite stores other numbers
 * too, so a type without such digits does not say that its values are integers.
 */
export const scaleOfType = (declaredType: string): number | undefined => {
  const scale = Number(/\(\s*\d+\s*,\s*(\d{1,4})\s*\)/.exec(declaredType)?.[1] ?? 0)
  return scale === 0 ? undefined : scale
}
