import { shorten } from '../base/describe.ts'
import { GraphError } from '../base/faults.ts'
import { isVersion } from '../base/version.ts'

/** What a path asks for, its version apart. */
export type Route =
  | { readonly kind: 'root' }
  | { readonly kind: 'openapi' | 'silhouette' | 'debug_token' }
  /** One part: a node, or an edge of the nodes that `ids` names. */
  | { readonly kind: 'one'; readonly name: string }
  | { readonly kind: 'two'; readonly id: string; readonly name: string }
  /** An entry of an edge, by its target. */
  | { readonly kind: 'three'; readonly id: string; readonly name: string; readonly target: string }

/** A path below the base path: the version that it begins with, and what it asks for. */
export type Place = { readonly version: string | undefined; readonly route: Route }

/** Where the picture of those who have none is served. */
export const SILHOUETTE = '/silhouette.svg'

const FIXED: { readonly [name: string]: Route } = {
  'openapi.json': { kind: 'openapi' },
  'silhouette.svg': { kind: 'silhouette' },
  debug_token: { kind: 'debug_token' },
}

const decoded = (part: string): string => {
  if (!part.includes('%')) return part
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Parts of a path that are told apart. */
const MOST_PARTS = 100

/** What stands between slashes, where anything does. */
const partsOf = (path: string): string[] => {
  const parts: string[] = []
  // More parts than two are an error, and its message shows the first of them.
  for (let start = 0; start < path.length && parts.length < MOST_PARTS; ) {
    const slash = path.indexOf('/', start)
    const end = slash < 0 ? path.length : slash
    if (end > start) parts.push(decoded(path.slice(start, end)))
    start = end + 1
  }
  return parts
}

/** The fault for parts that lead nowhere, and those behind them. */
export const unknownPath = (parts: readonly string[]): GraphError => {
  const path = shorten(parts.map(part => `/${part}`).join(''))
  return new GraphError('unknown_path', `Unknown path components: ${path}`, { path })
}

/** What may be meant as a target: any other part behind an edge leads nowhere. */
const TARGET = /^(?:me|\d+)$/

/** The route of the parts from `start` on. */
const routeOf = (parts: readonly string[], start: number): Route => {
  const first = parts[start]
  const second = parts[start + 1]
  const third = parts[start + 2]
  if (first === undefined) return { kind: 'root' }
  if (third !== undefined && !TARGET.test(third)) throw unknownPath(parts.slice(start + 2))
  if (parts.length > start + 3) throw unknownPath(parts.slice(start + 3))
  if (second !== undefined && third !== undefined)
    return { kind: 'three', id: first, name: second, target: third }
  if (second !== undefined) return { kind: 'two', id: first, name: second }
  return (Object.hasOwn(FIXED, first) ? FIXED[first] : undefined) ?? { kind: 'one', name: first }
}

/**
 * Reads a path: `/[vX.Y/]` and up to three parts, a slash at the end or none.
 *
 * @throws GraphError `unknown_path` for one that is not below the base path, or goes on behind what there is.
 */
export const placeOf = (path: string, basePath: string): Place => {
  const isBelow = path === basePath || path.startsWith(`${basePath}/`)
  const parts = partsOf(isBelow ? path.slice(basePath.length) : path)
  if (!isBelow && path !== '') throw unknownPath(parts)
  const [first] = parts
  return isVersion(first)
    ? { version: first, route: routeOf(parts, 1) }
    : { version: undefined, route: routeOf(parts, 0) }
}
