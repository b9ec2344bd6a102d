import { errors } from 'jose'
import { describeValue } from '../../base/describe.ts'
import { formatChoices, usageError } from '../../base/usage-error.ts'

/**
 * Creates the error that explains to the operator why a token is not accepted. It never contains the token, nor all
 * of its claims.
 */
export const rejectionCause = (message: string): Error => new Error(`createJwtAuth: ${message}`)

/** Returns the cause for an error of `jose`. That error itself contains the claims of the token. */
export const causeOf = (error: errors.JOSEError): Error => {
  if (!(error instanceof errors.JWTClaimValidationFailed) || !Object.hasOwn(error.payload, error.claim))
    return rejectionCause(error.message)
  return rejectionCause(`${error.message}; received ${describeValue(error.payload[error.claim])}`)
}

/** Returns the cause for a token of an issuer that the options do not name. */
export const issuerCause = (issuers: readonly string[], issuer: unknown): Error =>
  usageError('createJwtAuth', 'iss', formatChoices(issuers), describeValue(issuer))
