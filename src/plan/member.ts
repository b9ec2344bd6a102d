/** A member of an answer: its name, and how it begins in JSON text, as the first member of its object or a later one. */
export type Member = { readonly key: string; readonly first: string; readonly later: string }

/** A name is made of letters, digits and underscores, so that nothing of it need be escaped. */
export const memberOf = (key: string): Member => ({ key, first: `{"${key}":`, later: `,"${key}":` })
