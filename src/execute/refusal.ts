import type { Refusal } from '../access/auth.ts'
import { GraphError } from '../base/faults.ts'

/** Clients of the protocol match the words that these messages begin with. */
const REFUSALS = {
  unknown: ['token_unknown', 'Invalid OAuth access token'],
  expired: ['token_expired', 'Error validating access token: it has expired'],
  revoked: ['token_revoked', 'Error validating access token: it was revoked'],
} as const

/** The fault that a token which stands for nobody ends in. */
export const refusalOf = (refused: Refusal): GraphError => {
  const [reason, message] = REFUSALS[refused]
  return new GraphError(reason, message)
}
