import { bytesToBase64url } from '../base/base64url.ts'
import type { TokenRecord } from '../store/contract.ts'

const GENERATION_BYTES = 16

/** The generation of the tokens of a family that has no record: its tokens were never revoked together. */
const INITIAL_TOKEN_GENERATION = ''

/**
 * Returns a new generation of a family's tokens: 128 random bits, so that no two processes choose the same
 * one.
 */
export const createTokenGeneration = (): string =>
  bytesToBase64url(crypto.getRandomValues(new Uint8Array(GENERATION_BYTES)))

/** Whether a record has a generation. Records that were written before there were generations have none. */
export const hasTokenGeneration = (record: TokenRecord): boolean => typeof record.generation === 'string'

/**
 * Returns the current generation of a family's tokens; undefined if the family's record has none, so that no
 * token is valid.
 */
export const tokenGenerationOf = (family: TokenRecord | undefined): string | undefined => {
  if (family === undefined) return INITIAL_TOKEN_GENERATION
  return hasTokenGeneration(family) ? family.generation : undefined
}
