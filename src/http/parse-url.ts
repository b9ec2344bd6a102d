import { shortenText } from '../base/describe.ts'
import { GraphError, invalidParameterError } from '../base/errors.ts'
import { hasIdForm } from '../base/id-form.ts'
import { isVersion } from '../base/version.ts'
import { headerOf, type WireRequest } from './wire.ts'

const HOST_PATTERN = /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i
const ABSOLUTE_URL_PATTERN = /^(https?):\/\/([^/?#]*)/i

const firstValueOf = (header: string | undefined): string | undefined =>
  header?.split(',')[0]?.trim() || undefined

/**
 * Returns the origin that a request was sent to, such as `https://api.example`, or undefined if the request
 * does not contain it. Uses the headers of proxies only if proxies are trusted, because any client can send
 * these headers.
 *
 * @throws GraphError `invalid_parameter` for an invalid host or scheme.
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

/** Returns the path of a URL, and its query without the question mark. */
export const splitUrl = (url: string): { readonly path: string; readonly query: string } => {
  const pathAndQuery = url.startsWith('/') ? url : url.replace(ABSOLUTE_URL_PATTERN, '')
  const hash = pathAndQuery.indexOf('#')
  const end = hash < 0 ? pathAndQuery.length : hash
  const queryStart = pathAndQuery.indexOf('?')
  return queryStart < 0 || queryStart > end
    ? { path: pathAndQuery.slice(0, end), query: '' }
    : { path: pathAndQuery.slice(0, queryStart), query: pathAndQuery.slice(queryStart + 1, end) }
}

/** The target of a path, without its version. */
export type Route =
  | { readonly kind: 'root' }
  | { readonly kind: 'openapi' | 'defaultPicture' | 'debug_token' }
  /** A path with one part: a node, or an edge or a picture of the nodes that `ids` names. */
  | { readonly kind: 'nodeOrEdges'; readonly name: string }
  | { readonly kind: 'edge'; readonly id: string; readonly name: string }
  /** An entry of an edge, by its target. */
  | { readonly kind: 'entry'; readonly id: string; readonly name: string; readonly target: string }

/** A path below the base path: its version, and its route. */
export type ParsedPath = { readonly version: string | undefined; readonly route: Route }

/** The path of the default picture, below the base path. */
export const DEFAULT_PICTURE_PATH = '/default-picture.svg'

const FIXED_ROUTES: { readonly [name: string]: Route } = {
  'openapi.json': { kind: 'openapi' },
  'default-picture.svg': { kind: 'defaultPicture' },
  debug_token: { kind: 'debug_token' },
}

const decodePart = (part: string): string => {
  if (!part.includes('%')) return part
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The maximum number of parts that a path is split into. */
const MAX_PATH_PARTS = 100

/** Returns the decoded parts of a path, without empty parts. */
const splitPath = (path: string): string[] => {
  const parts: string[] = []
  // A path with more than three parts is an error. The message shows only the first characters of the path.
  for (let start = 0; start < path.length && parts.length < MAX_PATH_PARTS; ) {
    const slash = path.indexOf('/', start)
    const end = slash < 0 ? path.length : slash
    if (end > start) parts.push(decodePart(path.slice(start, end)))
    start = end + 1
  }
  return parts
}

/** Creates the error for the parts of a path that do not exist. */
export const pathNotFoundError = (parts: readonly string[]): GraphError => {
  const path = shortenText(parts.map(part => `/${part}`).join(''))
  return new GraphError('path_not_found', `Unknown path components: ${path}`, { path })
}

/** Whether a part of a path may name the target of an entry. Any other part after an edge does not exist. */
const isTarget = (part: string): boolean => part === 'me' || hasIdForm(part)

/** Parses the route in the parts of a path, beginning at the index `start`. */
const parseRoute = (parts: readonly string[], start: number): Route => {
  const first = parts[start]
  const second = parts[start + 1]
  const third = parts[start + 2]
  if (first === undefined) return { kind: 'root' }
  if (third !== undefined && !isTarget(third)) throw pathNotFoundError(parts.slice(start + 2))
  if (parts.length > start + 3) throw pathNotFoundError(parts.slice(start + 3))
  if (second !== undefined && third !== undefined)
    return { kind: 'entry', id: first, name: second, target: third }
  if (second !== undefined) return { kind: 'edge', id: first, name: second }
  return (
    (Object.hasOwn(FIXED_ROUTES, first) ? FIXED_ROUTES[first] : undefined) ?? {
      kind: 'nodeOrEdges',
      name: first,
    }
  )
}

/**
 * Parses a path: `/[vX.Y/]` followed by up to three parts, with or without a slash at the end.
 *
 * @throws GraphError `path_not_found` for a path outside the base path, or with too many parts.
 */
export const parsePath = (path: string, basePath: string): ParsedPath => {
  const isBelowBasePath = path === basePath || path.startsWith(`${basePath}/`)
  const parts = splitPath(isBelowBasePath ? path.slice(basePath.length) : path)
  if (!isBelowBasePath && path !== '') throw pathNotFoundError(parts)
  const [first] = parts
  return isVersion(first)
    ? { version: first, route: parseRoute(parts, 1) }
    : { version: undefined, route: parseRoute(parts, 0) }
}
