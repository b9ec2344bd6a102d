/** Any JSON value of a parsed response. */
export type Json = null | boolean | number | string | readonly Json[] | JsonRecord

/** A JSON object. */
export type JsonRecord = { readonly [name: string]: Json }

/** Whether a value is a JSON object. */
export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the text at a path of names, if any. */
export const textAt = (value: Json | undefined, ...path: readonly string[]): string | undefined => {
  const found = path.reduce<Json | undefined>(
    (current, name) => (isRecord(current) ? current[name] : undefined),
    value,
  )
  return typeof found === 'string' ? found : undefined
}

const ID_PATTERN = /^[1-9]\d{0,19}$/

/** Returns the id of an object in a response that is a node. */
export const nodeIdOf = (value: Json | undefined): string | undefined => {
  const id = textAt(value, 'id')
  return id !== undefined && ID_PATTERN.test(id) ? id : undefined
}

/** Returns the entries of an object in a response that is a page. */
export const pageEntriesOf = (value: Json | undefined): readonly Json[] | undefined => {
  const data = isRecord(value) ? value.data : undefined
  return Array.isArray(data) ? (data satisfies readonly Json[]) : undefined
}
