import type { Auth } from './auth.ts'

/** Replaces the secrets in a text, so that it can be used in a message or a log. */
export type Mask = (text: string) => string

/**
 * The key of the property of an {@link Auth} that contains the mask of its tokens. The mask is a function, so
 * logging the object reveals no token.
 */
export const MASK_SYMBOL = Symbol('kithgraph.mask')

const REPLACEMENT = '…'
/** Shorter secrets are not masked, because they occur in ordinary words. */
const MIN_MASKED_LENGTH = 4
/** Shorter secrets are replaced only if they are whole words, because they may be part of ordinary words. */
const MIN_UNAMBIGUOUS_LENGTH = 8
/**
 * The maximum length of quoted text in a message. If a message cuts off a secret, it contains at most this
 * number of the secret's characters.
 */
const MAX_QUOTED_LENGTH = 60

const escapeQuoted = (text: string): string => JSON.stringify(text).slice(1, -1)

/**
 * Returns the forms that a secret may have in messages: plain, quoted, without white space (in an expression)
 * or encoded (in a path).
 */
const toQuotedForms = (secret: string): readonly string[] => {
  const stripped = secret.replaceAll(/\s/g, '')
  return [
    secret,
    escapeQuoted(secret),
    stripped,
    escapeQuoted(stripped),
    encodeURIComponent(secret.toWellFormed()),
  ]
}

const WORD_CHARACTER = /[\w-]/

/** Replaces a secret unless a letter, a digit, `_` or a hyphen is next to it. */
const replaceWholeWord = (text: string, form: string): string => {
  const [firstPart = '', ...otherParts] = text.split(form)
  return otherParts.reduce((before, after) => {
    const isPartOfWord = WORD_CHARACTER.test(before.slice(-1)) || WORD_CHARACTER.test(after.charAt(0))
    return before + (isPartOfWord ? form : REPLACEMENT) + after
  }, firstPart)
}

/**
 * Removes the beginning of a secret from the end of a text, because the text may be a quotation that was cut
 * off.
 */
const removeCutSecret = (text: string, forms: readonly string[]): string => {
  for (const form of forms) {
    for (
      let length = Math.min(form.length - 1, MAX_QUOTED_LENGTH);
      length >= MIN_UNAMBIGUOUS_LENGTH;
      length--
    ) {
      if (text.endsWith(form.slice(0, length))) return text.slice(0, -length)
    }
  }
  return text
}

/**
 * Creates a mask of some secrets. Does not use a regular expression, because a secret may be text from a
 * client.
 */
export const createMask = (secrets: Iterable<string>): Mask => {
  const allForms = [...secrets].flatMap(toQuotedForms).filter(form => form.length >= MIN_MASKED_LENGTH)
  const forms = [...new Set(allForms)].toSorted((a, b) => b.length - a.length)
  if (forms.length === 0) return text => text
  return text => {
    let masked = text
    for (const form of forms) {
      masked =
        form.length < MIN_UNAMBIGUOUS_LENGTH
          ? replaceWholeWord(masked, form)
          : masked.replaceAll(form, REPLACEMENT)
    }
    const parts = masked.split(REPLACEMENT)
    // Cut quotations end with the same character as a replaced secret.
    return parts
      .map((part, index) => (index < parts.length - 1 ? removeCutSecret(part, forms) : part))
      .join(REPLACEMENT)
  }
}

const findMask = (auth: Auth): Mask | undefined => {
  const mask: unknown = Reflect.get(auth, MASK_SYMBOL)
  // Only `createStaticAuth` sets this property.
  return typeof mask === 'function' ? (mask as Mask) : undefined
}

/**
 * Creates a mask of the secrets of a graph: the tokens of `createStaticAuth`, and the secrets of its apps.
 */
export const createGraphMask = (
  auths: readonly Auth[],
  appSecrets: { readonly [app: string]: string },
): Mask => {
  const masks = [createMask(Object.values(appSecrets)), ...auths.flatMap(auth => findMask(auth) ?? [])]
  return text => masks.reduce((masked, mask) => mask(masked), text)
}
