import { GraphError } from '../base/errors.ts'
import { isNonArrayObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { createMask, type Mask } from './mask.ts'
import { maskCause } from './mask-cause.ts'

const maskValue = (value: JsonValue, mask: Mask): JsonValue => {
  if (typeof value === 'string') return mask(value)
  if (Array.isArray(value)) return value.map(item => maskValue(item, mask))
  return isNonArrayObject(value) ? maskData(value, mask) : value
}

const maskData = (data: JsonObject, mask: Mask): JsonObject =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, maskValue(value, mask)]))

/** Removes the secrets that a graph knows from texts and errors. */
export class Masking {
  readonly #mask: Mask

  constructor(mask: Mask) {
    this.#mask = mask
  }

  maskText(text: string): string {
    return this.#mask(text)
  }

  /**
   * Returns an error without these secrets and without the token of its call; the same error if it has none
   * of them.
   */
  maskError(error: GraphError, token?: string): GraphError {
    const maskToken = createMask(token === undefined ? [] : [token])
    const mask = (text: string): string => this.#mask(maskToken(text))
    const { reason, data } = error
    const message = mask(error.message)
    const maskedData = maskData(data, mask)
    const cause = maskCause(error.cause, mask)
    const isUnchanged =
      message === error.message &&
      cause === error.cause &&
      JSON.stringify(maskedData) === JSON.stringify(data)
    return isUnchanged
      ? error
      : new GraphError(reason, message, maskedData, { cause, traceId: error.traceId })
  }
}
