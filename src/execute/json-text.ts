/** What is written otherwise inside of JSON text: control characters, `"`, `\`, and halves of surrogate pairs that stand alone. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/

/** What `JSON.stringify` makes of a value, sooner for those that are written as they are. */
export const jsonText = (value: unknown): string | undefined => {
  if (typeof value === 'string') return ESCAPED.test(value) ? JSON.stringify(value) : `"${value}"`
  const isPlain = typeof value === 'boolean' || Number.isFinite(value)
  return isPlain ? `${value}` : JSON.stringify(value)
}
