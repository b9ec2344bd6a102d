import type { CorsOptions } from './handler-options.ts'
import { headerOf, VARY, type WireRequest } from './wire.ts'

const DEFAULT_AGE = 7200
const EXPOSED = 'ETag, facebook-api-version, x-fb-trace-id, X-App-Usage, Retry-After, WWW-Authenticate'
const ALLOWED = 'Authorization, Content-Type, If-None-Match, kithgraph-links'

const BY_ORIGIN = { Vary: `${VARY}, Origin` }

/** The methods that there are. */
export const METHODS = 'GET, HEAD, POST, OPTIONS'

/** What a browser must read to let a page of another origin have the answer; nothing for an origin that may not. */
export const corsHeaders = (
  request: Pick<WireRequest, 'method' | 'headers'>,
  cors: CorsOptions | undefined,
): { readonly [name: string]: string } => {
  if (cors === undefined) return {}
  const { origin: allowed, maxAge = DEFAULT_AGE } = cors
  const vary = allowed === '*' ? {} : BY_ORIGIN
  const origin = headerOf(request, 'origin')
  if (origin === undefined || (allowed !== '*' && !allowed.includes(origin))) return vary
  const isPreflight = request.method === 'OPTIONS'
  return {
    ...vary,
    'Access-Control-Allow-Origin': allowed === '*' ? '*' : origin,
    'Access-Control-Expose-Headers': EXPOSED,
    ...(isPreflight && {
      'Access-Control-Allow-Methods': METHODS,
      'Access-Control-Allow-Headers': ALLOWED,
      'Access-Control-Max-Age': `${maxAge}`,
    }),
  }
}
