import { bytesToBase64url } from '../base/base64url.ts'
import type { TokenRecord } from '../store/contract.ts'

// All tokens of one viewer form a family; so do all tokens without a viewer. A family has a generation: a
// text, at first empty and later random, which `issue` copies into the record of each new token. `revokeAll`
// replaces the generation in the record of the family, and thereby revokes all tokens with an older one. See
// docs/decisions/0003-token-families.md.

const GENERATION_BYTES = 16

/** The generation of a family without a record: `revokeAll` was never called for its viewer. */
const INITIAL_TOKEN_GENERATION = ''

/** Returns a new random generation of 128 bits, so that no two processes choose the same one. */
export const createTokenGeneration = (): string =>
  bytesToBase64url(crypto.getRandomValues(new Uint8Array(GENERATION_BYTES)))

/**
 * Whether the record of a token or of a family has a generation. Records of older versions of the library
 * have none.
 */
export const hasTokenGeneration = (record: TokenRecord): boolean => typeof record.generation === 'string'

/**
 * Returns the current generation of a family from its record: the initial one without a record; undefined for
 * a record without a generation, so that no token of the family is valid.
 */
export const tokenGenerationOf = (familyRecord: TokenRecord | undefined): string | undefined => {
  if (familyRecord === undefined) return INITIAL_TOKEN_GENERATION
  return hasTokenGeneration(familyRecord) ? familyRecord.generation : undefined
}
