import { GraphError } from '../base/errors.ts'
import type { HandlerSettings } from './handler-options.ts'
import { isReadMethod } from './methods.ts'
import { findOrigin } from './parse-url.ts'
import type { HandlerContext } from './parsed-request.ts'
import { headerOf, type WireRequest } from './wire.ts'

/** The values of `Sec-Fetch-Site` of a page of the same origin, and of requests that no page has caused. */
const OWN_SITES = ['same-origin', 'none']

/**
 * Whether an origin of a web page has the host and the port of a URL. The port may be left out if it is that of the
 * scheme.
 */
const hasHost = (origin: string, host: string): boolean => {
  if (!URL.canParse(origin)) return false
  const { protocol, host: originHost } = new URL(origin)
  const url = `${protocol}//${host}`
  return /^https?:$/.test(protocol) && URL.canParse(url) && new URL(url).host === originHost
}

/**
 * Whether an origin is that of the graph. Without `baseUrl`, compares only the host and the port, because a proxy
 * may end TLS.
 */
const isOwnOrigin = (origin: string, request: WireRequest, settings: HandlerSettings): boolean => {
  const { baseUrl, trustProxy } = settings
  if (baseUrl !== undefined) return origin === new URL(baseUrl).origin
  const requestOrigin = findOrigin(request, trustProxy)
  return requestOrigin !== undefined && hasHost(origin, requestOrigin.replace(/^.*\/\//, ''))
}

/** Whether a page of another origin has caused a request, as far as its headers show. */
const isCrossSite = (request: WireRequest, settings: HandlerSettings): boolean => {
  const site = headerOf(request, 'sec-fetch-site')
  if (site !== undefined) return !OWN_SITES.includes(site)
  const origin = headerOf(request, 'origin')
  return origin !== undefined && !isOwnOrigin(origin, request, settings)
}

const isListed = (origin: string | undefined, cors: HandlerSettings['cors']): boolean =>
  cors !== undefined && (cors.origin === '*' || (origin !== undefined && cors.origin.includes(origin)))

/**
 * Rejects a write that a page of another site has caused, unless `cors` lists its origin. Browsers send cookies and
 * credentials with such requests, so a page could write in the name of its visitor. `method` is the method of the
 * request: its own, unless a parameter overrides it.
 *
 * @throws GraphError `origin_not_allowed`; `invalid_parameter` for an invalid host.
 */
export const assertOriginAllowed = (
  { engine, settings }: HandlerContext,
  request: WireRequest,
  method = request.method,
): void => {
  if (engine.actions === undefined || isReadMethod(method)) return
  if (!isCrossSite(request, settings) || isListed(headerOf(request, 'origin'), settings.cors)) return
  throw new GraphError(
    'origin_not_allowed',
    '(#200) Pages of this origin may not write: the option "cors" of the server does not list it',
  )
}
