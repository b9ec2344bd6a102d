import type { Refusal } from '../access/auth.ts'
import { GraphError, internalFault, isGraphError } from '../base/faults.ts'
import type { Session } from '../base/session.ts'
import type { Engine } from './engine.ts'
import type { Host } from './host.ts'
import { ScanLimitError } from './scan-limit-error.ts'

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

/** A call that exceeds its scan limit is charged this part of the limit, in addition to its cost. */
const CHARGED_PART = 100

/**
 * Returns what a call fails with, and reports to its host what a call that exceeds its scan limit is charged. The session is
 * undefined until the token is known to be valid.
 */
export const failureOf = (
  error: unknown,
  { host, engine }: { readonly host: Host | undefined; readonly engine: Pick<Engine, 'limits'> },
  session: Session | undefined,
): GraphError => {
  if (error instanceof ScanLimitError && session !== undefined)
    host?.chargeScan(Math.ceil(engine.limits.scan / CHARGED_PART), session)
  return isGraphError(error) ? error : internalFault(error)
}
