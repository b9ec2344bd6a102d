import { type GraphError, isGraphError } from '../../../src/base/faults.ts'
import { parseFields } from '../../../src/fields/parse.ts'

/** The limits of a graph that sets none. */
export const LIMITS = { length: 8192, depth: 8, items: 200 }

/** The fault that a text is refused with. */
export const parseFault = (text: string, limits = LIMITS): GraphError => {
  try {
    parseFields(text, limits)
  } catch (error) {
    if (isGraphError(error)) return error
    throw error
  }
  throw new Error(`${text} was parsed`)
}
