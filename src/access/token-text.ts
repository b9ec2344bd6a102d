import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base64urlToLatin1, bytesToBase64url } from '../base/base64url.ts'
import type { NodeId } from '../base/ids.ts'

const RANDOM_BYTES = 32
const FAMILY_BYTES = 16
const TOKEN_PATTERN = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{22})$/

const computeShortHmac = (secret: string, text: string): Uint8Array =>
  hmac(sha256, utf8ToBytes(secret), utf8ToBytes(text)).subarray(0, FAMILY_BYTES)

/**
 * Computes the family of a viewer's tokens: a keyed hash of the viewer's id, which every token of the viewer
 * contains in masked form. The record of a family in the store has the current generation of its tokens (see
 * `generations.ts`), so that one read finds the record of a token and that of its family. Without a secret,
 * the viewer's id can be found by trying ids.
 */
export const computeTokenFamily = (viewer: NodeId | undefined, secret: string): string =>
  bytesToBase64url(computeShortHmac(secret, `viewer ${viewer ?? ''}`))

/**
 * Masks or unmasks the family in a token, by exclusive-or with a keyed hash of the token's random part. Each
 * token has its own mask, so that two apps cannot recognize tokens of the same viewer.
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

/** Returns the family in a token; undefined if the text is not a token of a graph. */
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

/** Returns the key of a family's record in the store, which has the current generation. */
export const digestTokenFamily = (family: string): string =>
  bytesToBase64url(sha256(utf8ToBytes(`family ${family}`)))
