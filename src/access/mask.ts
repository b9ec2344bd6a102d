import type { Auth } from './auth.ts'

/** Replaces the secrets in a text, so that it can go into a message or a log. */
export type Mask = (text: string) => string

/** Where an {@link Auth} that knows its tokens keeps the mask of them: a function, since a log of the object shows no token. */
export const MASK = Symbol('kithgraph.mask')

const MASKED = '…'
/** A shorter one is no secret, and occurs in ordinary words. */
const SHORTEST = 4
/** A shorter one is replaced only where it is a word of its own. */
const DISTINCT = 8
/** No quoted part of a message is longer: a secret that was cut shows at most that much. */
const LONGEST_CUT = 60

const inQuotes = (text: string): string => JSON.stringify(text).slice(1, -1)

/** A secret as messages may show it: in an expression without white space, quoted, in a path that could not be decoded. */
const formsOf = (secret: string): readonly string[] => {
  const stripped = secret.replaceAll(/\s/g, '')
  return [secret, inQuotes(secret), stripped, inQuotes(stripped), encodeURIComponent(secret.toWellFormed())]
}

const WORD = /[\w-]/

/** Replaces a form where neither a letter, a digit nor a hyphen is next to it. */
const withoutWord = (text: string, form: string): string => {
  const [first = '', ...rest] = text.split(form)
  return rest.reduce((before, after) => {
    const isPart = WORD.test(before.slice(-1)) || WORD.test(after.charAt(0))
    return before + (isPart ? form : MASKED) + after
  }, first)
}

/** A text without the beginning of a form that its quotation cut. */
const withoutCut = (text: string, forms: readonly string[]): string => {
  for (const form of forms) {
    for (let length = Math.min(form.length - 1, LONGEST_CUT); length >= DISTINCT; length--) {
      if (text.endsWith(form.slice(0, length))) return text.slice(0, -length)
    }
  }
  return text
}

/** Replaces some secrets wherever they occur. No pattern is made of them: one of them may be what a client sent. */
export const maskOf = (secrets: Iterable<string>): Mask => {
  const all = [...secrets].flatMap(formsOf).filter(form => form.length >= SHORTEST)
  const forms = [...new Set(all)].toSorted((a, b) => b.length - a.length)
  if (forms.length === 0) return text => text
  return text => {
    let masked = text
    for (const form of forms) {
      masked = form.length < DISTINCT ? withoutWord(masked, form) : masked.replaceAll(form, MASKED)
    }
    const parts = masked.split(MASKED)
    // What a quotation cut ends before such a character, too.
    return parts
      .map((part, index) => (index < parts.length - 1 ? withoutCut(part, forms) : part))
      .join(MASKED)
  }
}

const maskIn = (auth: Auth): Mask | undefined => {
  const mask: unknown = Reflect.get(auth, MASK)
  // Only `createStaticAuth` has the symbol.
  return typeof mask === 'function' ? (mask as Mask) : undefined
}

/** A mask of what a graph knows to be secret: the declared tokens of its auths, and the secrets of its apps. */
export const maskOfGraph = (auths: readonly Auth[], appSecrets: { readonly [app: string]: string }): Mask => {
  const masks = [maskOf(Object.values(appSecrets)), ...auths.flatMap(auth => maskIn(auth) ?? [])]
  return text => masks.reduce((masked, mask) => mask(masked), text)
}
