/** Any JSON value, as a parsed answer holds it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonRecord

/** A JSON object. */
export type JsonRecord = { readonly [name: string]: Json }

/** Whether a value is a JSON object. */
export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The text at a path of names, where there is one. */
export const textAt = (value: Json | undefined, ...path: readonly string[]): string | undefined => {
  const found = path.reduce<Json | undefined>((at, name) => (isRecord(at) ? at[name] : undefined), value)
  return typeof found === 'string' ? found : undefined
}

const ID = /^[1-9]\d{0,19}$/

/** The id of an object of an answer that is a node. */
export const idIn = (value: Json | undefined): string | undefined => {
  const id = textAt(value, 'id')
  return id !== undefined && ID.test(id) ? id : undefined
}

/** The entries of an object of an answer that is a page. */
export const entriesIn = (value: Json | undefined): readonly Json[] | undefined => {
  const data = isRecord(value) ? value.data : undefined
  return Array.isArray(data) ? (data satisfies readonly Json[]) : undefined
}
