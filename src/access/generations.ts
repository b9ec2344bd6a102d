import { encodeBytes } from '../base/base64url.ts'
import type { TokenRecord } from '../store/contract.ts'

const GENERATION_BYTES = 16

/** The generation of the tokens of a family that has no record: its tokens were never revoked together. */
const FIRST = ''

/** A new generation of a family's tokens: 128 random bits, so that no two processes ever choose the same one. */
export const newGeneration = (): string =>
  encodeBytes(crypto.getRandomValues(new Uint8Array(GENERATION_BYTES)))

/** Whether a record has a generation. Records that were written before there were generations have none. */
export const hasGeneration = (record: TokenRecord): boolean => typeof record.generation === 'string'

/** The generation that the tokens of a family are in; undefined if the family's record has none, and no token is valid. */
export const generationOf = (family: TokenRecord | undefined): string | undefined => {
  if (family === undefined) return FIRST
  return hasGeneration(family) ? family.generation : undefined
}
