import { describeValue, shortenText } from '../base/describe.ts'
import { GraphError, invalidParameterError } from '../base/errors.ts'
import { hasIdForm } from '../base/id-form.ts'
import { isName } from '../base/names.ts'
import { isVersion } from '../base/version.ts'
import { formatParameter, type QueryParameter } from './parameters.ts'

/** The target of a read: the path after the version, and the parameters that the target requires. */
export type RequestTarget = { readonly path: string; readonly parameters: readonly QueryParameter[] }

const ID_EXPECTED = 'the id of a node, or "me"'

/** Throws a `GraphError` for an id that is not a string, as in-process, because ids are data. */
const assertIdText: (id: unknown) => asserts id is string = id => {
  if (typeof id !== 'string') throw invalidParameterError('id', ID_EXPECTED, describeValue(id))
}

/**
 * Adds a version to a path.
 *
 * @throws GraphError `invalid_parameter` for an invalid version.
 */
export const toVersionedPath = (path: string, version: unknown): string => {
  if (version === undefined) return path
  if (typeof version === 'string' && isVersion(version)) return `/${version}${path}`
  throw invalidParameterError('version', 'a version such as v1.0', describeValue(version))
}

/** Whether an id can be a part of a path. Other ids are sent in a parameter, which can contain any text. */
const fitsInPath = (id: string): boolean => id === 'me' || id === 'root' || hasIdForm(id)

/** Whether an id may be the target of an edge. The node of collections is the target of none. */
const isTarget = (id: string): boolean => id !== 'root' && fitsInPath(id)

/**
 * Returns the request target for reading a node.
 *
 * @throws GraphError `invalid_parameter` for an id that is not a string.
 */
export const toNodeTarget = (id: unknown): RequestTarget => {
  assertIdText(id)
  return fitsInPath(id)
    ? { path: `/${id}`, parameters: [] }
    : { path: '/', parameters: [['id', formatParameter(id)]] }
}

/**
 * Rejects names that no edge can have, because not every string can be a part of a path.
 *
 * @throws GraphError `field_not_found`.
 */
export const assertEdgeName = (edge: unknown): void => {
  if (typeof edge !== 'string' || isName(edge)) return
  const name = shortenText(edge)
  throw new GraphError('field_not_found', `(#100) Tried accessing nonexisting field (${name})`, { name })
}

/** Returns the request target for reading an edge of a node. */
export const toEdgeTarget = (id: unknown, edge: unknown): RequestTarget => {
  const nodeTarget = toNodeTarget(id)
  // An id that is sent in a parameter is invalid. The server rejects the id, so the edge is not needed.
  return nodeTarget.path === '/' ? nodeTarget : { path: `${nodeTarget.path}/${edge}`, parameters: [] }
}

/**
 * Returns the request target for reading one entry of an edge.
 *
 * @throws GraphError `invalid_parameter` for a target that is not an id.
 */
export const toEntryTarget = (id: unknown, edge: unknown, target: unknown): RequestTarget => {
  const { path, parameters } = toEdgeTarget(id, edge)
  if (path === '/') return { path, parameters }
  if (typeof target !== 'string' || !isTarget(target))
    throw invalidParameterError('target', ID_EXPECTED, describeValue(target))
  return { path: `${path}/${target}`, parameters }
}

/**
 * Returns the request target for reading several nodes, or one edge of several nodes, depending on the path.
 */
export const toIdsTarget = (path: string, ids: readonly unknown[]): RequestTarget => {
  const texts = [...new Set(ids)].map(id => {
    assertIdText(id)
    return formatParameter(id)
  })
  const idsText = texts.every(fitsInPath) ? texts.join(',') : JSON.stringify(texts)
  return { path, parameters: [['ids', idsText]] }
}
