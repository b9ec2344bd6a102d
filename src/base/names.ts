const NAME_PATTERN = /^[a-z][a-z0-9_]*$/

/** Words that have a special meaning in paths, expressions or results. */
const RESERVED_NAMES = new Set(['id', 'me', 'metadata', 'constructor', 'permissions', 'debug_token'])

/**
 * Whether a word is a valid name of a type, field, edge or alias. A valid name is never an inherited property
 * of objects.
 */
export const isName = (word: string): boolean => NAME_PATTERN.test(word) && !RESERVED_NAMES.has(word)
