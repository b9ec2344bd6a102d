import { isName } from '../../base/names.ts'

/** Returns the words of a name of the database, in lower case: those of `createdAt`, `created_at` or `Created At`. */
export const splitWords = (name: string): readonly string[] =>
  name
    .replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')

const MAX_LENGTH = 60

/** Converts a name of the database to a name of a graph. `fallback` is a word for a name without letters. */
export const toGraphName = (name: string, fallback: string): string => {
  const joined = splitWords(name).join('_').slice(0, MAX_LENGTH)
  return /^[a-z]/.test(joined) ? joined : [fallback, joined].filter(Boolean).join('_')
}

/** The ends of plurals that follow no rule. */
const IRREGULAR_PLURALS: readonly (readonly [plural: RegExp, singular: string])[] = [
  [/(?<=^|_)(movie|cookie)s$/, '$1'],
  [/(?<=^|_)statuses$/, 'status'],
  [/(?<=^|_)people$/, 'person'],
  [/(?<=^|_)children$/, 'child'],
  [/(?<=^|_)selves$/, 'self'],
]

/** The plurals of {@link IRREGULAR_PLURALS} that are not the singular with an ending. */
const IRREGULAR_NOUNS: { readonly [noun: string]: string } = {
  person: 'people',
  child: 'children',
  self: 'selves',
}

/** Plurals that are also the singular. */
const UNCHANGED_NOUN = /(?:^|_)(?:series|species|news)$/

/** Returns the singular of an English noun, or the unchanged word if it is not clear. */
export const toSingular = (noun: string): string => {
  if (UNCHANGED_NOUN.test(noun)) return noun
  const [plural, singular = ''] = IRREGULAR_PLURALS.find(([end]) => end.test(noun)) ?? []
  if (plural !== undefined) return noun.replace(plural, singular)
  if (/ies$/.test(noun)) return noun.replace(/ies$/, 'y')
  if (/(?:ss|x|ch|sh|z)es$/.test(noun)) return noun.replace(/es$/, '')
  return /[^siu]s$/.test(noun) ? noun.replace(/s$/, '') : noun
}

/** Returns the plural of an English noun. A plural stays. */
export const toPlural = (noun: string): string => {
  if (toSingular(noun) !== noun || UNCHANGED_NOUN.test(noun)) return noun
  const irregular = noun.replace(/(?<=^|_)(?:person|child|self)$/, end => IRREGULAR_NOUNS[end] ?? end)
  if (irregular !== noun) return irregular
  if (/[^aeiou]y$/.test(noun)) return noun.replace(/y$/, 'ies')
  return /(?:s|x|ch|sh|z)$/.test(noun) ? `${noun}es` : `${noun}s`
}

/** The names of one type, or of one graph, which must differ from each other. */
export class UniqueNames {
  readonly #taken: Set<string>

  constructor(reserved: readonly string[] = []) {
    this.#taken = new Set(reserved)
  }

  /** The names that are taken. */
  get taken(): readonly string[] {
    return [...this.#taken]
  }

  /** Takes the first of the names that is valid and free. If none is, takes the last one with a number. */
  take(...names: readonly [string, ...string[]]): string {
    const last = names.at(-1) ?? names[0]
    let name = names.find(candidate => this.#isFree(candidate)) ?? `${last}_2`
    for (let number = 3; !this.#isFree(name); number++) name = `${last}_${number}`
    this.#taken.add(name)
    return name
  }

  #isFree(name: string): boolean {
    return isName(name) && !this.#taken.has(name)
  }
}
