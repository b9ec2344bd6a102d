import { formatSuggestions, suggestWords } from '../base/suggest.ts'

/** Formats suggestions for an unknown word as the end of a message; '' if there are none. */
export const didYouMean = (word: string, knownWords: Iterable<string>): string =>
  formatSuggestions(suggestWords(word, knownWords))
