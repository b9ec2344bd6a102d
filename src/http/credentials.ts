import { invalidParameterError } from '../base/errors.ts'
import type { RequestParameters } from './parameters.ts'
import { headerOf, type WireRequest } from './wire.ts'

const BEARER_PREFIX = 'Bearer '

const readHeaderToken = (request: WireRequest): string | undefined => {
  const header = headerOf(request, 'authorization')
  if (header === undefined) return undefined
  // The usual form of the header. A search for white space alone takes half the time.
  const token = header.startsWith(BEARER_PREFIX) ? header.slice(BEARER_PREFIX.length) : ''
  if (token !== '' && !/\s/.test(token)) return token
  return /^(?:Bearer|OAuth) +(\S+) *$/i.exec(header)?.[1]
}

/**
 * Reads the token of a request: a parameter, or a header with the scheme Bearer or OAuth.
 *
 * @throws GraphError `invalid_parameter` for two different tokens.
 */
export const readToken = (request: WireRequest, parameters: RequestParameters): string | undefined => {
  const headerToken = readHeaderToken(request)
  const parameterToken = parameters.getText('access_token')
  if (headerToken !== undefined && parameterToken !== undefined && headerToken !== parameterToken) {
    throw invalidParameterError('access_token', 'one token', 'two different tokens')
  }
  return parameterToken ?? headerToken
}
