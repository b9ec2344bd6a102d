import type { CorsOptions } from './handler-options.ts'
import { headerOf, VARY_HEADER_VALUE, type WireRequest } from './wire.ts'

const DEFAULT_MAX_AGE = 7200
const EXPOSED_HEADERS =
  'ETag, facebook-api-version, x-fb-trace-id, X-App-Usage, Retry-After, WWW-Authenticate'
const ALLOWED_HEADERS = 'Authorization, Content-Type, If-None-Match, kithgraph-links'

const VARY_BY_ORIGIN_HEADERS = { Vary: `${VARY_HEADER_VALUE}, Origin` }

/** The methods that the handler supports, as the value of the header `Allow`. */
export const ALLOWED_METHODS = 'GET, HEAD, POST, OPTIONS'

/**
 * Creates the headers that let a page of another origin read the response. For an origin that is not allowed,
 * returns at most the header `Vary`.
 */
export const createCorsHeaders = (
  request: Pick<WireRequest, 'method' | 'headers'>,
  cors: CorsOptions | undefined,
): { readonly [name: string]: string } => {
  if (cors === undefined) return {}
  const { origin: allowedOrigins, maxAge = DEFAULT_MAX_AGE } = cors
  const varyHeaders = allowedOrigins === '*' ? {} : VARY_BY_ORIGIN_HEADERS
  const origin = headerOf(request, 'origin')
  if (origin === undefined || (allowedOrigins !== '*' && !allowedOrigins.includes(origin))) return varyHeaders
  const isPreflight = request.method === 'OPTIONS'
  return {
    ...varyHeaders,
    'Access-Control-Allow-Origin': allowedOrigins === '*' ? '*' : origin,
    'Access-Control-Expose-Headers': EXPOSED_HEADERS,
    ...(isPreflight && {
      'Access-Control-Allow-Methods': ALLOWED_METHODS,
      'Access-Control-Allow-Headers': ALLOWED_HEADERS,
      'Access-Control-Max-Age': `${maxAge}`,
    }),
  }
}
