import type { Mask } from './mask.ts'

/** A cause with more values is treated as one with a secret: an error may lead to a socket, and so to half of the process. */
const MOST_VALUES = 10_000
/** Deeper causes of causes are left out, and so are those of a cause that causes itself. */
const MOST_CAUSES = 8
/** What is read of each object, also if it is inherited. */
const TEXTS = ['name', 'message', 'stack'] as const

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isSecret = (value: unknown, mask: Mask): boolean => {
  const text = String(value)
  return mask(text) !== text
}

function* partsOf(value: object): Iterable<unknown> {
  for (const name of TEXTS) yield Reflect.get(value, name)
  yield Reflect.get(value, 'cause')
  if (value instanceof Map || value instanceof Set || value instanceof Headers) yield* value
  if (ArrayBuffer.isView(value)) return
  for (const key of Reflect.ownKeys(value)) {
    yield key
    yield Reflect.getOwnPropertyDescriptor(value, key)?.value
  }
}

/** Whether a secret is in a text anywhere in a value. */
const hasSecret = (root: unknown, mask: Mask): boolean => {
  const seen = new Set<object>()
  const pending = [root]
  let count = 0
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value === 'function') continue
    if (!isObject(value)) {
      if (isSecret(value, mask)) return true
    } else if (!seen.has(value)) {
      seen.add(value)
      for (const part of partsOf(value)) {
        if (++count > MOST_VALUES) return true
        pending.push(part)
      }
    }
  }
  return false
}

const isKept = (value: unknown): boolean => !isObject(value) && typeof value !== 'function'

const withoutSecrets = (cause: object, mask: Mask, depth: number): Error => {
  const kept = Object.entries(cause).filter(
    ([name, value]) => isKept(value) && !isSecret(name, mask) && !isSecret(value, mask),
  )
  const texts = TEXTS.flatMap(name => {
    const text: unknown = Reflect.get(cause, name)
    return typeof text === 'string' ? [[name, mask(text)] as const] : []
  })
  const { message, ...others } = Object.fromEntries(texts)
  const nested: unknown =
    depth < MOST_CAUSES ? masked(Reflect.get(cause, 'cause'), mask, depth + 1) : undefined
  const error = new Error(message, nested === undefined ? {} : { cause: nested })
  return Object.assign(error, Object.fromEntries(kept.filter(([name]) => !(name in error))), others)
}

const masked = (cause: unknown, mask: Mask, depth: number): unknown => {
  if (typeof cause === 'string') return mask(cause)
  return isObject(cause) && hasSecret(cause, mask) ? withoutSecrets(cause, mask, depth) : cause
}

/**
 * What others threw, as it is unless a secret is in it: then an error with its texts masked, its causes masked likewise, and
 * of its other properties only the scalars without a secret.
 */
export const maskedCause = (cause: unknown, mask: Mask): unknown => {
  try {
    return masked(cause, mask, 0)
  } catch {
    // A getter of it throws, or it is a proxy that does.
    return new Error('The cause cannot be read')
  }
}
