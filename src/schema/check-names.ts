import { isName } from '../base/names.ts'

/** What a parameter may not be named, since the word means something else behind a field. */
const MODIFIERS = new Set(['as', 'fields', 'limit', 'after', 'before', 'since', 'until', 'order', 'summary'])

// A reserved word is formed like a name, so that it is one as soon as a letter follows.
const why = (word: string): string =>
  isName(`${word}_`) ? 'the word is reserved' : 'expected a-z, 0-9 and _, a letter first'

const faultOf = (what: string, word: string): string => `no ${what} may be named "${word}": ${why(word)}`

/** What is wrong with the name of a type, or of a field or an edge; undefined where nothing is. */
export const faultOfName = (what: 'type' | 'field or edge' | 'field', word: string): string | undefined =>
  isName(word) ? undefined : faultOf(what, word)

/** What is wrong with the name of a parameter. */
export const faultOfParameterName = (word: string): string | undefined =>
  isName(word) && !MODIFIERS.has(word) ? undefined : faultOf('parameter', word)
