const NAME = /^[a-z][a-z0-9_]*$/

/** Words with a meaning of their own in paths, expressions or answers. */
const RESERVED = new Set(['id', 'me', 'metadata', 'constructor', 'permissions', 'debug_token'])

/** Whether a word may name a type, field, edge or alias: such a word is never a property that objects inherit. */
export const isName = (word: string): boolean => NAME.test(word) && !RESERVED.has(word)
