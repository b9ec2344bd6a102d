import { assertText } from '../base/assert-call.ts'
import { describe, shorten } from '../base/describe.ts'
import { badParameter, GraphError } from '../base/faults.ts'
import { isName } from '../base/names.ts'
import { type Parameter, parameterText } from './parameters.ts'

/** Where something is read: a path behind the version, and what it takes beside the options. */
export type Place = { readonly path: string; readonly parameters: readonly Parameter[] }

/** Ids come from data: what is no text cannot be asked for, and is refused as in-process. */
const assertIdText: (id: unknown) => asserts id is string = id => {
  if (typeof id !== 'string') throw badParameter('id', 'a number as text, or me', describe(id))
}

/** Whether text can be a part of a path: ids can, and what is none is asked for where any text can stand. */
const fitsPath = (id: string): boolean => /^(?:me|\d{1,40})$/.test(id)

/** A node. @throws GraphError `bad_parameter` for an id that is no text. */
export const nodeAt = (id: unknown): Place => {
  assertIdText(id)
  return fitsPath(id)
    ? { path: `/${id}`, parameters: [] }
    : { path: '/', parameters: [['id', parameterText(id)]] }
}

/**
 * Refuses what is the edge of no schema: not every such text can be a part of a path.
 *
 * @throws TypeError for what is no text. @throws GraphError `unknown_field`.
 */
export const assertEdge = (method: string, edge: unknown): void => {
  assertText(method, 'edge', edge)
  if (typeof edge !== 'string' || isName(edge)) return
  const name = shorten(edge)
  throw new GraphError('unknown_field', `(#100) Tried accessing nonexisting field (${name})`, { name })
}

/** An edge of a node. */
export const edgeAt = (id: unknown, edge: unknown): Place => {
  const node = nodeAt(id)
  // What is no id is refused before its edge is looked at.
  return node.path === '/' ? node : { path: `${node.path}/${edge}`, parameters: [] }
}

/**
 * The entry of an edge that leads to a target, of which the id says enough.
 *
 * @throws GraphError `bad_parameter` for a target that is no id.
 */
export const entryAt = (id: unknown, edge: unknown, target: unknown): Place => {
  const { path, parameters } = edgeAt(id, edge)
  if (path === '/') return { path, parameters }
  if (typeof target !== 'string' || !fitsPath(target))
    throw badParameter('target', 'a number as text, or me', describe(target))
  return { path: `${path}/${target}`, parameters: [['fields', 'id']] }
}

/** Several nodes, or the edges of one name that they have, by the path. */
export const severalAt = (path: string, ids: readonly unknown[]): Place => {
  const texts = [...new Set(ids)].map(id => {
    assertIdText(id)
    return parameterText(id)
  })
  const list = texts.every(fitsPath) ? texts.join(',') : JSON.stringify(texts)
  return { path, parameters: [['ids', list]] }
}
