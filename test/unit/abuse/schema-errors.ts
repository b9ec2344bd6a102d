import { defineSchema } from 'kithgraph'

/** Returns what a function throws for arguments that the compiler rejects. */
export const catchError = (call: (...args: never[]) => unknown, ...args: unknown[]): unknown => {
  try {
    Reflect.apply(call, undefined, args)
  } catch (error) {
    return error
  }
  return undefined
}

/** Returns the errors of a schema, one text each. Throws if the schema is valid. */
export const collectSchemaErrors = (types: object, options?: object): string[] => {
  const error = catchError(defineSchema, types, options)
  if (!(error instanceof TypeError)) throw error ?? new Error('the schema is valid')
  const [head, ...errors] = error.message.split('\n')
  const count = errors.length === 1 ? 'one error' : `${errors.length} errors`
  if (head !== `defineSchema: the schema must be valid; received ${count}:`) throw error
  return errors.map(error => error.replace(/^- /, ''))
}
