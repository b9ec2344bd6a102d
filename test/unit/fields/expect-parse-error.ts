import { type GraphError, isGraphError } from '../../../src/base/errors.ts'
import { parseFields } from '../../../src/fields/parse.ts'

/** The default limits of a graph. */
export const LIMITS = { length: 8192, depth: 8, fields: 200 }

/** Returns the `GraphError` that the parser throws for a text. */
export const expectParseError = (text: string, limits = LIMITS): GraphError => {
  try {
    parseFields(text, limits)
  } catch (error) {
    if (isGraphError(error)) return error
    throw error
  }
  throw new Error(`${text} was parsed`)
}
