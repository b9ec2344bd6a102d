import type { AuthFailure } from '../access/auth.ts'
import { GraphError, internalError, isGraphError } from '../base/errors.ts'
import type { Session } from '../base/session.ts'
import type { CallHooks } from './call-hooks.ts'
import type { Engine } from './engine.ts'
import { ScanLimitError } from './scan-limit-error.ts'

/** Clients of the protocol match the first words of these messages. */
const AUTH_ERRORS = {
  invalid: ['token_invalid', 'Invalid OAuth access token'],
  expired: ['token_expired', 'Error validating access token: it has expired'],
  revoked: ['token_revoked', 'Error validating access token: it was revoked'],
} as const

/** The error of a token that is not accepted. */
export const authError = (failure: AuthFailure): GraphError => {
  const [reason, message] = AUTH_ERRORS[failure]
  return new GraphError(reason, message)
}

/**
 * A call that exceeds its scan limit is charged the limit divided by this number, in addition to its cost.
 */
const SCAN_CHARGE_DIVISOR = 100

/**
 * Returns the error that a call fails with, and charges a call that exceeds its scan limit. The session is
 * undefined until the token is known to be valid.
 */
export const toCallError = (
  error: unknown,
  { hooks, engine }: { readonly hooks: CallHooks | undefined; readonly engine: Pick<Engine, 'limits'> },
  session: Session | undefined,
): GraphError => {
  if (error instanceof ScanLimitError && session !== undefined)
    hooks?.chargeScanExcess(Math.ceil(engine.limits.scan / SCAN_CHARGE_DIVISOR), session)
  return isGraphError(error) ? error : internalError(error)
}
