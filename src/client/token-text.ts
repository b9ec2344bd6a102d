import { describeValue } from '../base/describe.ts'
import { usageError } from '../base/usage-error.ts'

/**
 * Returns the text of a token, or an empty string if the caller passed none.
 *
 * @throws TypeError for a token that is not a string.
 */
export const toTokenText = (method: string, token: unknown): string => {
  if (typeof token === 'string') return token
  if (token === undefined || token === null) return ''
  const expected = 'a string, since a session is valid only in the process of its graph'
  throw usageError(method, 'token', expected, describeValue(token))
}
