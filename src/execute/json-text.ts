/**
 * The characters that JSON may escape: control characters, `"`, `\`, and surrogates, of which it escapes only
 * lone ones.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/

/** Whether a value is a text that needs no escaping in JSON. */
export const isPlainText = (value: unknown): value is string =>
  typeof value === 'string' && !NEEDS_ESCAPE.test(value)

/** Returns the same as `JSON.stringify`, but faster for values that need no escaping. */
export const toJsonText = (value: unknown): string | undefined => {
  if (isPlainText(value)) return `"${value}"`
  const isPlain = typeof value === 'boolean' || Number.isFinite(value)
  return isPlain ? `${value}` : JSON.stringify(value)
}
