import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { decodeToAscii, encodeBytes } from '../base/base64url.ts'
import type { NodeId } from '../base/ids.ts'

const RANDOM_BYTES = 32
const FAMILY_BYTES = 16
const PATTERN = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{22})$/

const keyed = (secret: string, text: string): Uint8Array =>
  hmac(sha256, utf8ToBytes(secret), utf8ToBytes(text)).subarray(0, FAMILY_BYTES)

/**
 * What all tokens of one viewer have in common: a store that reads by key alone finds by it, together with the token, which
 * generation the viewer's tokens are in. Keyed by the graph's secret: without one, the viewer's id can be found from it by trying ids.
 */
export const familyOf = (viewer: NodeId | undefined, secret: string): string =>
  encodeBytes(keyed(secret, `viewer ${viewer ?? ''}`))

/** Hides a family under a mask that no other token has, and bares it again: two apps cannot tell that a viewer is the same. */
const masked = (family: Uint8Array, random: string, secret: string): string => {
  const mask = keyed(secret, `mask ${random}`)
  return encodeBytes(family.map((byte, index) => byte ^ (mask[index] ?? 0)))
}

/** A new token: 256 random bits and the family of its viewer, masked. */
export const newToken = (viewer: NodeId | undefined, secret: string): string => {
  const random = encodeBytes(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)))
  return `${random}.${masked(keyed(secret, `viewer ${viewer ?? ''}`), random, secret)}`
}

/** The family in a token's text, or undefined where the text is no token. */
export const familyIn = (token: string, secret: string): string | undefined => {
  const [, random, text] = PATTERN.exec(token) ?? []
  const bytes = text === undefined ? undefined : decodeToAscii(text)
  if (random === undefined || bytes === undefined) return undefined
  return masked(
    Uint8Array.from(bytes, char => char.charCodeAt(0)),
    random,
    secret,
  )
}

/** The key that a store holds a token under: its SHA-256, never the token. */
export const tokenKey = (token: string): string => encodeBytes(sha256(utf8ToBytes(token)))

/** The key of the record that says which generation the tokens of a family are in. */
export const familyKey = (family: string): string => encodeBytes(sha256(utf8ToBytes(`family ${family}`)))
