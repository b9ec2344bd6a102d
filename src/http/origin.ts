import { invalidParameterError } from '../base/errors.ts'
import { headerOf, type WireRequest } from './wire.ts'

const HOST_PATTERN = /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i
const ABSOLUTE_URL_PATTERN = /^(https?):\/\/([^/?#]*)/i

const firstValueOf = (header: string | undefined): string | undefined =>
  header?.split(',')[0]?.trim() || undefined

/**
 * Returns the origin that a request was sent to, such as `https://api.example`, which is the prefix of
 * absolute links. Returns undefined if the request does not contain it. Headers of proxies count only if they
 * are trusted, since anybody can send them.
 *
 * @throws GraphError `invalid_parameter` for an invalid host.
 */
export const findOrigin = (request: WireRequest, trustProxy: boolean): string | undefined => {
  const [, scheme, authority] = ABSOLUTE_URL_PATTERN.exec(request.url) ?? []
  const readForwardedHeader = (name: string): string | undefined =>
    trustProxy ? firstValueOf(headerOf(request, `x-forwarded-${name}`)) : undefined
  const host = readForwardedHeader('host') ?? authority ?? headerOf(request, 'host')
  if (host === undefined || host === '') return undefined
  if (!HOST_PATTERN.test(host))
    throw invalidParameterError('host', 'a host name, with or without a port', 'another value')
  const proto = readForwardedHeader('proto')?.toLowerCase() ?? scheme?.toLowerCase() ?? 'http'
  if (proto !== 'http' && proto !== 'https')
    throw invalidParameterError('x-forwarded-proto', '"http" or "https"', 'another value')
  return `${proto}://${host}`
}

/** Splits the part of a URL after its origin: the path, and the query without its question mark. */
export const splitUrl = (url: string): { readonly path: string; readonly query: string } => {
  const pathAndQuery = url.startsWith('/') ? url : url.replace(ABSOLUTE_URL_PATTERN, '')
  const hash = pathAndQuery.indexOf('#')
  const end = hash < 0 ? pathAndQuery.length : hash
  const queryStart = pathAndQuery.indexOf('?')
  return queryStart < 0 || queryStart > end
    ? { path: pathAndQuery.slice(0, end), query: '' }
    : { path: pathAndQuery.slice(0, queryStart), query: pathAndQuery.slice(queryStart + 1, end) }
}
