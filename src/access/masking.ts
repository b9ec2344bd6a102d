import { GraphError } from '../base/errors.ts'
import { isNonArrayObject, isObject, type JsonObject, type JsonValue } from '../base/json.ts'
import { createMask, type Mask } from './mask.ts'

/**
 * A cause with more values is treated as if it contained a secret. An error may refer to a socket and,
 * through the socket, to a large part of the process.
 */
const MAX_EXAMINED_VALUES = 10_000
/** Deeper causes are left out. This limit also stops at an error that is its own cause. */
const MAX_CAUSE_DEPTH = 8
/** The properties that are read from each object, even if they are inherited. */
const TEXT_PROPERTIES = ['name', 'message', 'stack'] as const

const maskValue = (value: JsonValue, mask: Mask): JsonValue => {
  if (typeof value === 'string') return mask(value)
  if (Array.isArray(value)) return value.map(item => maskValue(item, mask))
  return isNonArrayObject(value) ? maskData(value, mask) : value
}

const maskData = (data: JsonObject, mask: Mask): JsonObject =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, maskValue(value, mask)]))

const containsSecret = (value: unknown, mask: Mask): boolean => {
  const text = String(value)
  return mask(text) !== text
}

function* iterateValues(value: object): Iterable<unknown> {
  for (const name of TEXT_PROPERTIES) yield Reflect.get(value, name)
  yield Reflect.get(value, 'cause')
  if (value instanceof Map || value instanceof Set || value instanceof Headers) yield* value
  if (ArrayBuffer.isView(value)) return
  for (const key of Reflect.ownKeys(value)) {
    yield key
    yield Reflect.getOwnPropertyDescriptor(value, key)?.value
  }
}

/** Whether any text inside a value contains a secret. */
const containsSecretDeep = (root: unknown, mask: Mask): boolean => {
  const seen = new Set<object>()
  const pending = [root]
  let examinedCount = 0
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value === 'function') continue
    if (!isObject(value)) {
      if (containsSecret(value, mask)) return true
    } else if (!seen.has(value)) {
      seen.add(value)
      for (const part of iterateValues(value)) {
        if (++examinedCount > MAX_EXAMINED_VALUES) return true
        pending.push(part)
      }
    }
  }
  return false
}

const isScalar = (value: unknown): boolean => !isObject(value) && typeof value !== 'function'

const toMaskedError = (cause: object, mask: Mask, depth: number): Error => {
  const scalarEntries = Object.entries(cause).filter(
    ([name, value]) => isScalar(value) && !containsSecret(name, mask) && !containsSecret(value, mask),
  )
  const maskedTexts = TEXT_PROPERTIES.flatMap(name => {
    const text: unknown = Reflect.get(cause, name)
    return typeof text === 'string' ? [[name, mask(text)] as const] : []
  })
  const { message, ...otherTexts } = Object.fromEntries(maskedTexts)
  const nestedCause: unknown =
    depth < MAX_CAUSE_DEPTH ? maskNested(Reflect.get(cause, 'cause'), mask, depth + 1) : undefined
  const error = new Error(message, nestedCause === undefined ? {} : { cause: nestedCause })
  return Object.assign(
    error,
    Object.fromEntries(scalarEntries.filter(([name]) => !(name in error))),
    otherTexts,
  )
}

const maskNested = (cause: unknown, mask: Mask, depth: number): unknown => {
  if (typeof cause === 'string') return mask(cause)
  return isObject(cause) && containsSecretDeep(cause, mask) ? toMaskedError(cause, mask, depth) : cause
}

/**
 * Returns a cause unchanged if it contains no secret. Otherwise, returns an error with masked texts and
 * causes. This error keeps another property only if the property is a scalar without a secret.
 */
const maskCause = (cause: unknown, mask: Mask): unknown => {
  try {
    return maskNested(cause, mask, 0)
  } catch {
    // A getter or a proxy threw.
    return new Error('The cause cannot be read')
  }
}

/** Removes the secrets of a graph from texts and errors. */
export class Masking {
  readonly #mask: Mask

  constructor(mask: Mask) {
    this.#mask = mask
  }

  maskText(text: string): string {
    return this.#mask(text)
  }

  /**
   * Returns an error without these secrets and without the token of the call, or the error itself if it
   * contains none of them.
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
