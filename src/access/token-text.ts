import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { encodeBytes } from '../base/base64url.ts'
import type { NodeId } from '../base/ids.ts'

const RANDOM_BYTES = 32
const FAMILY_BYTES = 16
const PATTERN = /^[A-Za-z0-9_-]{43}\.([A-Za-z0-9_-]{22})$/

/**
 * What all tokens of one viewer have in common: a store that is asked by key alone finds by it, beside the token, whether
 * all of the viewer's tokens were revoked. Keyed by the graph's secret: without one, the viewer's id can be found from it by trying ids.
 */
export const familyOf = (viewer: NodeId | undefined, secret: string): string =>
  encodeBytes(
    hmac(sha256, utf8ToBytes(secret), utf8ToBytes(`viewer ${viewer ?? ''}`)).subarray(0, FAMILY_BYTES),
  )

/** A new token: 256 random bits and the family of its viewer. */
export const newToken = (viewer: NodeId | undefined, secret: string): string =>
  `${encodeBytes(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)))}.${familyOf(viewer, secret)}`

/** The family in a token's text, or undefined where the text is no token. */
export const familyIn = (token: string): string | undefined => PATTERN.exec(token)?.[1]

/** The key that a store holds a token under: its SHA-256, never the token. */
export const tokenKey = (token: string): string => encodeBytes(sha256(utf8ToBytes(token)))

/** The key of the record that says when all tokens of a family were revoked. */
export const familyKey = (family: string): string => encodeBytes(sha256(utf8ToBytes(`family ${family}`)))
