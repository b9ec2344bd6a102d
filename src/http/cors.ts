import type { Engine } from '../execute/engine.ts'
import type { CorsOptions } from './handler-options.ts'
import { headerOf, VARY_HEADER_VALUE, type WireRequest } from './wire.ts'

const DEFAULT_MAX_AGE = 7200
const EXPOSED_HEADERS =
  'ETag, facebook-api-version, x-fb-trace-id, X-App-Usage, Retry-After, WWW-Authenticate'
const READ_HEADERS = 'Authorization, Content-Type, If-None-Match, kithgraph-links'

/** The methods and the headers that a graph accepts: the methods also as the value of the header `Allow`. */
export type AllowedRequests = { readonly methods: string; readonly headers: string }

const ALLOWED_READS: AllowedRequests = { methods: 'GET, HEAD, POST, OPTIONS', headers: READ_HEADERS }
const ALLOWED_READS_AND_WRITES: AllowedRequests = {
  methods: 'GET, HEAD, POST, DELETE, OPTIONS',
  headers: `${READ_HEADERS}, Idempotency-Key`,
}

/** Returns the methods and the headers that a graph accepts, with actions or without. */
export const findAllowedRequests = ({ actions }: Pick<Engine, 'actions'>): AllowedRequests =>
  actions === undefined ? ALLOWED_READS : ALLOWED_READS_AND_WRITES

const VARY_BY_ORIGIN_HEADERS = { Vary: `${VARY_HEADER_VALUE}, Origin` }

/**
 * Creates the headers that let a page of another origin read the response. For an origin that is not allowed,
 * returns at most the header `Vary`.
 */
export const createCorsHeaders = (
  request: Pick<WireRequest, 'method' | 'headers'>,
  cors: CorsOptions | undefined,
  engine: Pick<Engine, 'actions'>,
): { readonly [name: string]: string } => {
  if (cors === undefined) return {}
  const { origin: allowedOrigins, maxAge = DEFAULT_MAX_AGE } = cors
  const varyHeaders = allowedOrigins === '*' ? {} : VARY_BY_ORIGIN_HEADERS
  const origin = headerOf(request, 'origin')
  if (origin === undefined || (allowedOrigins !== '*' && !allowedOrigins.includes(origin))) return varyHeaders
  const isPreflight = request.method === 'OPTIONS'
  const allowed = findAllowedRequests(engine)
  return {
    ...varyHeaders,
    'Access-Control-Allow-Origin': allowedOrigins === '*' ? '*' : origin,
    'Access-Control-Expose-Headers': EXPOSED_HEADERS,
    ...(isPreflight && {
      'Access-Control-Allow-Methods': allowed.methods,
      'Access-Control-Allow-Headers': allowed.headers,
      'Access-Control-Max-Age': `${maxAge}`,
    }),
  }
}
