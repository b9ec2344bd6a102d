/** What is written otherwise inside of JSON text: control characters, `"`, `\`, and halves of surrogate pairs that stand alone. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/

/** Whether a value is a text that stands in JSON as it is, in quotes. */
export const isPlainText = (value: unknown): value is string =>
  typeof value === 'string' && !ESCAPED.test(value)

/** What `JSON.stringify` makes of a value, sooner for those that are written as they are. */
export const jsonText = (value: unknown): string | undefined => {
  if (isPlainText(value)) return `"${value}"`
  const isPlain = typeof value === 'boolean' || Number.isFinite(value)
  return isPlain ? `${value}` : JSON.stringify(value)
}
