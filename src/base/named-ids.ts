import { describeValue } from './describe.ts'
import { usageError } from './usage-error.ts'

/** The maximum length of the key of a named id, in characters. */
export const MAX_KEY_LENGTH = 190
const PREFIX_PATTERN = /^[a-z][a-z0-9_]{0,62}$/
const PLAIN_PART_PATTERN = /^[A-Za-z0-9_-]+$/
/** The form of an id. An empty part is a single point. Each character matches one alternative only. */
const ID_PATTERN =
  /^[a-z][a-z0-9_]{0,62}-(?:(?:[A-Za-z0-9_-]|\.[0-9a-f]{2})+|\.)(?:~(?:(?:[A-Za-z0-9_-]|\.[0-9a-f]{2})+|\.))*$/
const EMPTY_PART = '.'

/** The form of a prefix, for error messages. */
export const PREFIX_EXPECTED = 'a name of a–z, 0–9 and _ that begins with a letter, of at most 63 characters'

/** Whether a value can be the prefix of named ids. */
export const isPrefix = (value: unknown): value is string =>
  typeof value === 'string' && PREFIX_PATTERN.test(value)

/** A part of a key. A number must be a safe integer. */
export type KeyPart = string | number | bigint

const encodeBytes = (character: string): string =>
  Array.from(new TextEncoder().encode(character), byte => `.${byte.toString(16).padStart(2, '0')}`).join('')

const encodePart = (part: string): string => {
  if (part === '') return EMPTY_PART
  return PLAIN_PART_PATTERN.test(part) ? part : part.replace(/[^A-Za-z0-9_-]+/gu, encodeBytes)
}

/** Decodes a part. Returns undefined if `encodePart` returns the text for no part. */
const decodePart = (text: string): string | undefined => {
  if (text === EMPTY_PART) return ''
  if (!text.includes('.')) return text
  const bytes = text.match(/\.[0-9a-f]{2}|[^.]/g) ?? []
  try {
    const part = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      Uint8Array.from(bytes, byte =>
        byte.length === 1 ? byte.charCodeAt(0) : Number.parseInt(byte.slice(1), 16),
      ),
    )
    return encodePart(part) === text ? part : undefined
  } catch {
    // The bytes are not UTF-8.
    return undefined
  }
}

/** Returns the prefix of a named id: its text before the first `-`. */
export const prefixOf = (id: string): string => id.slice(0, id.indexOf('-'))

const keyPartsOf = (id: string): readonly string[] => id.slice(id.indexOf('-') + 1).split('~')

/** Whether a value is a well-formed named id. */
export const isNamedId = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= value.indexOf('-') + 1 + MAX_KEY_LENGTH &&
  ID_PATTERN.test(value) &&
  (!value.includes('.') || keyPartsOf(value).every(part => decodePart(part) !== undefined))

const isKeyPart = (part: unknown): part is KeyPart =>
  typeof part === 'string' ? part.isWellFormed() : typeof part === 'bigint' || Number.isSafeInteger(part)

/**
 * Returns the named id of a key: the prefix, `-`, and the parts of the key joined by `~`. ASCII letters, digits,
 * `_` and `-` of a part stay. Each byte of the UTF-8 of any other character is written as `.hh`, and an empty
 * part as `.`.
 *
 * @param type The name of the type, or its `idPrefix`.
 * @throws TypeError for a prefix that is not a name of at most 63 characters, for a part that is not a
 *   well-formed string, a safe integer or a bigint, and for a key of more than 190 characters.
 * @example
 * ```ts
 * import { namedId } from 'kithgraph'
 *
 * console.log(namedId('photo', 42)) // photo-42
 * console.log(namedId('revision', 42, 3)) // revision-42~3
 * console.log(namedId('tag', 'très')) // tag-tr.c3.a8s
 * ```
 */
export const namedId = (type: string, ...key: readonly KeyPart[]): string => {
  if (!isPrefix(type)) throw usageError('namedId', 'type', PREFIX_EXPECTED, describeValue(type))
  const badIndex = key.findIndex(part => !isKeyPart(part))
  if (badIndex >= 0 || key.length === 0)
    throw usageError(
      'namedId',
      `key[${Math.max(0, badIndex)}]`,
      'a well-formed string, a safe integer or a bigint',
      describeValue(key[badIndex]),
    )
  const text = key.map(part => encodePart(`${part}`)).join('~')
  if (text.length > MAX_KEY_LENGTH)
    throw usageError('namedId', 'key', 'at most 190 characters in an id', `${text.length} characters`)
  return `${type}-${text}`
}

/** The prefix and the key of a named id. */
export type ParsedNamedId = {
  /** The name of the type, or its `idPrefix`. */
  readonly prefix: string
  /** The parts of the key, of which there is at least one. */
  readonly key: readonly string[]
}

/**
 * Parses a named id. Returns undefined for every text that {@link namedId} does not return, so that each key has
 * one id.
 *
 * @example
 * ```ts
 * import { parseNamedId } from 'kithgraph'
 *
 * console.log(parseNamedId('revision-42~3')) // { prefix: 'revision', key: [ '42', '3' ] }
 * console.log(parseNamedId('tag-tr.C3.A8s')) // undefined
 * ```
 */
export const parseNamedId = (id: string): ParsedNamedId | undefined => {
  if (!isNamedId(id)) return undefined
  return { prefix: prefixOf(id), key: keyPartsOf(id).map(part => decodePart(part) ?? '') }
}
