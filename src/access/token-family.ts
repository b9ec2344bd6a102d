import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base64urlToLatin1, bytesToBase64url } from '../base/base64url.ts'
import type { NodeId } from '../base/ids.ts'
import type { TokenRecord } from '../store/contract.ts'

// All tokens of one viewer form a family. All tokens without a viewer also form a family. A family has a
// generation: a text that is empty at first, and random after the first `revokeAll`. `issue` copies the
// generation to the record of each new token. `revokeAll` replaces the generation in the record of the
// family, which revokes all tokens with an older generation. See docs/decisions/0003-token-families.md.

const RANDOM_BYTES = 32
const FAMILY_BYTES = 16
const GENERATION_BYTES = 16
const TOKEN_PATTERN = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{22})$/

const computeShortHmac = (secret: string, text: string): Uint8Array =>
  hmac(sha256, utf8ToBytes(secret), utf8ToBytes(text)).subarray(0, FAMILY_BYTES)

/**
 * Computes the family of a viewer's tokens: a keyed hash of the viewer's id. Each token of the viewer
 * contains the family in masked form, so one store read can find the records of a token and of its family.
 * Without a secret, the viewer's id can be found by trying ids.
 */
export const computeTokenFamily = (viewer: NodeId | undefined, secret: string): string =>
  bytesToBase64url(computeShortHmac(secret, `viewer ${viewer ?? ''}`))

/**
 * Masks or unmasks the family in a token, using exclusive-or with a keyed hash of the token's random part.
 * Each token has a different mask, so two apps cannot recognize tokens of the same viewer.
 */
const xorFamilyMask = (family: Uint8Array, random: string, secret: string): string => {
  const mask = computeShortHmac(secret, `mask ${random}`)
  return bytesToBase64url(family.map((byte, index) => byte ^ (mask[index] ?? 0)))
}

/** Creates a token: 256 random bits, a dot, and the masked family of its viewer. */
export const createToken = (viewer: NodeId | undefined, secret: string): string => {
  const random = bytesToBase64url(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)))
  return `${random}.${xorFamilyMask(computeShortHmac(secret, `viewer ${viewer ?? ''}`), random, secret)}`
}

/** Returns the family in a token, or `undefined` if the text is not a token of a graph. */
export const extractTokenFamily = (token: string, secret: string): string | undefined => {
  const [, random, maskedFamily] = TOKEN_PATTERN.exec(token) ?? []
  const maskedLatin1 = maskedFamily === undefined ? undefined : base64urlToLatin1(maskedFamily)
  if (random === undefined || maskedLatin1 === undefined) return undefined
  return xorFamilyMask(
    Uint8Array.from(maskedLatin1, char => char.charCodeAt(0)),
    random,
    secret,
  )
}

/** Returns the key of a token's record in the store: the SHA-256 of the token. */
export const digestToken = (token: string): string => bytesToBase64url(sha256(utf8ToBytes(token)))

/** Returns the key of a family's record in the store, which contains the current generation. */
export const digestTokenFamily = (family: string): string =>
  bytesToBase64url(sha256(utf8ToBytes(`family ${family}`)))

/** The generation of a family without a record: `revokeAll` was never called for its viewer. */
const INITIAL_TOKEN_GENERATION = ''

/** Returns a new random generation of 128 bits, so that no two processes choose the same one. */
export const createTokenGeneration = (): string =>
  bytesToBase64url(crypto.getRandomValues(new Uint8Array(GENERATION_BYTES)))

/**
 * Whether the record of a token or of a family has a generation. Records of older versions of the library
 * have no generation.
 */
export const hasTokenGeneration = (record: TokenRecord): boolean => typeof record.generation === 'string'

/**
 * Returns the current generation of a family from its record, or the initial generation if there is no
 * record. For a record without a generation, returns `undefined`, so that no token of the family is valid.
 */
export const tokenGenerationOf = (familyRecord: TokenRecord | undefined): string | undefined => {
  if (familyRecord === undefined) return INITIAL_TOKEN_GENERATION
  return hasTokenGeneration(familyRecord) ? familyRecord.generation : undefined
}
