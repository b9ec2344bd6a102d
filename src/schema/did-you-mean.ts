import { hintOf, suggest } from '../base/suggest.ts'

/** The end of a message about a word that is not known: empty where nothing known is near. */
export const didYouMean = (word: string, known: Iterable<string>): string => hintOf(suggest(word, known))
