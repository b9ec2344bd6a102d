import { describe } from '../base/describe.ts'

const NAME = /^[a-z][a-z0-9_]*$/

/** Words with a meaning of their own in paths, expressions or answers. */
const RESERVED = new Set(['id', 'me', 'metadata', 'constructor', 'permissions', 'debug_token'])

/** Whether a word may name a type, field, edge or alias. */
export const isName = (word: string): boolean => NAME.test(word) && !RESERVED.has(word)

/** One name or a list of them, as a list. */
export const namesOf = (place: string, names: unknown): readonly string[] => {
  const list: readonly unknown[] = Array.isArray(names) ? names : [names]
  if (list.length > 0 && list.every(name => typeof name === 'string')) return Object.freeze([...list])
  throw new TypeError(`${place}: expected the name of a type or a list of them, came ${describe(names)}`)
}
