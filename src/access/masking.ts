import { GraphError } from '../base/faults.ts'
import { isPlainObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { type Mask, maskOf } from './mask.ts'
import { maskedCause } from './masked-cause.ts'

const maskedValue = (value: JsonValue, mask: Mask): JsonValue => {
  if (typeof value === 'string') return mask(value)
  if (Array.isArray(value)) return value.map(item => maskedValue(item, mask))
  return isPlainObject(value) ? maskedData(value, mask) : value
}

const maskedData = (data: JsonObject, mask: Mask): JsonObject =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, maskedValue(value, mask)]))

/** Keeps the secrets that a graph knows out of what leaves it in messages. */
export class Masking {
  readonly #mask: Mask

  constructor(mask: Mask) {
    this.#mask = mask
  }

  text(text: string): string {
    return this.#mask(text)
  }

  /** A fault without these secrets and without the token of its call; the same fault if it has none of them. */
  fault(fault: GraphError, token?: string): GraphError {
    const maskToken = maskOf(token === undefined ? [] : [token])
    const mask = (text: string): string => this.#mask(maskToken(text))
    const { reason, ...data } = fault.data
    const message = mask(fault.message)
    const particulars = maskedData(data, mask)
    const cause = maskedCause(fault.cause, mask)
    const isSame =
      message === fault.message &&
      cause === fault.cause &&
      JSON.stringify(particulars) === JSON.stringify(data)
    return isSame ? fault : new GraphError(reason, message, particulars, { cause, traceId: fault.traceId })
  }
}
