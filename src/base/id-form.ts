/** The form of ids of both kinds, raw and app-scoped. All characters are unreserved in URLs. */
const ID_FORM = /^(?:\d{1,40}|[a-z][a-z0-9_]{0,62}-[A-Za-z0-9._~-]{1,300})$/

/**
 * Whether a text has the form of an id of any kind: digits, or a type, `-` and a key. Code that does not know the
 * kind of the ids, such as a client, finds ids in paths and responses with it. A text of this form may not be an
 * id.
 */
export const hasIdForm = (text: string): boolean => ID_FORM.test(text)
