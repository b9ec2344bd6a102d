/** Types whose values SQLite stores in another way than the affinity of their declared names says. */
const DECLARED_TYPES: ReadonlyMap<string, string> = new Map([
  ['bool', 'boolean'],
  ['boolean', 'boolean'],
  ['date', 'date'],
  ['datetime', 'datetime'],
  ['timestamp', 'datetime'],
  ['timestamptz', 'datetime'],
  ['json', 'json'],
  ['jsonb', 'json'],
  // SQLite knows none of the following names. The values are texts, or bytes.
  ['uuid', 'text'],
  ['guid', 'text'],
  ['string', 'text'],
  ['time', 'text'],
  ['enum', 'text'],
  ['binary', 'blob'],
  ['varbinary', 'blob'],
  ['bytea', 'blob'],
  ['image', 'blob'],
])

/** The rules by which SQLite finds the affinity of a declared type. The first one that matches decides. */
const AFFINITIES: readonly (readonly [words: RegExp, type: string])[] = [
  [/int/, 'integer'],
  [/char|clob|text/, 'text'],
  [/blob/, 'blob'],
  // A column of such a type, or without one, stores any value as it is.
  [/^(?:any)?$/, 'any'],
  [/real|floa|doub/, 'real'],
]

const affinityOf = (declaredType: string): string =>
  AFFINITIES.find(([expression]) => expression.test(declaredType.toLowerCase()))?.[1] ?? 'numeric'

/** Returns the type in a description of a column with a declared type. */
export const toColumnType = (declaredType: string): string => {
  const name = declaredType.toLowerCase().replace(/\(.*$/s, '').trim()
  return DECLARED_TYPES.get(name) ?? affinityOf(declaredType)
}

/** Whether SQLite stores a text that is a number as a number in a column of texts: `42` and `042` are then equal. */
export const storesTextsAsNumbers = (declaredType: string): boolean =>
  toColumnType(declaredType) === 'text' && affinityOf(declaredType) !== 'text'

/**
 * Returns the number of digits after the point of a declared type such as `decimal(10, 2)`. SQLite stores other numbers
 * too, so a type without such digits does not say that its values are integers.
 */
export const scaleOfType = (declaredType: string): number | undefined => {
  const scale = Number(/\(\s*\d+\s*,\s*(\d{1,4})\s*\)/.exec(declaredType)?.[1] ?? 0)
  return scale === 0 ? undefined : scale
}
