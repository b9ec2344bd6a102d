import type { JsonObject } from '../../../src/base/json.ts'
import type { EdgeRecord, Mutation } from '../../../src/store/contract.ts'
import { answerWave, applyMutation, type Model } from '../../../src/testing/model.ts'
import { modelStoreOf } from '../../../src/testing/model-store.ts'
import type { Sabotage } from './sabotage.ts'

type Apply = typeof applyMutation

const sabotage = (name: string, section: string, apply: Apply): Sabotage => ({
  name,
  section,
  create: () => modelStoreOf({ apply, answer: answerWave }),
})

/** A store that writes something else than it was handed. */
const rewriting = (
  name: string,
  section: string,
  rewrite: (mutation: Mutation, model: Model) => Mutation,
): Sabotage =>
  sabotage(name, section, (model, mutation, index) => applyMutation(model, rewrite(mutation, model), index))

const joined = ({ source, name, target }: EdgeRecord): string => `${source}${name}${target}`

const deletingEdges =
  (remains: (edge: EdgeRecord, id: string) => boolean): Apply =>
  (model, mutation, index) => {
    if (mutation.op !== 'deleteNode') return applyMutation(model, mutation, index)
    model.nodes.delete(mutation.id)
    model.edges = model.edges.filter(edge => remains(edge, mutation.id))
  }

const MOST_TEXT = 64 * 1024

const cut = (fields: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, MOST_TEXT) : value,
    ]),
  )

/** Stores that write nodes, edges and tokens wrongly. */
export const writeSabotages: readonly Sabotage[] = [
  sabotage(
    'edges that dangle once their target is deleted',
    'deletion',
    deletingEdges(() => true),
  ),
  sabotage(
    'a node deleted with the edges from it alone',
    'deletion',
    deletingEdges((edge, id) => edge.source !== id),
  ),
  sabotage(
    'a node deleted with the edges to it alone',
    'deletion',
    deletingEdges((edge, id) => edge.target !== id),
  ),
  sabotage('keys that are joined strings', 'text', (model, mutation, index) => {
    if (mutation.op === 'putEdge')
      model.edges = model.edges.filter(edge => joined(edge) !== joined(mutation.edge))
    applyMutation(model, mutation, index)
  }),
  sabotage('an edge put twice that is there twice', 'edges', (model, mutation, index) => {
    if (mutation.op === 'putEdge') model.edges.push(mutation.edge)
    else applyMutation(model, mutation, index)
  }),
  rewriting('an edge put again that stays where it was', 'edges', (mutation, model) => {
    if (mutation.op !== 'putEdge') return mutation
    const { source, name, target } = mutation.edge
    const found = model.edges.find(
      edge => edge.source === source && edge.name === name && edge.target === target,
    )
    return found === undefined ? mutation : { op: 'putEdge', edge: { ...mutation.edge, time: found.time } }
  }),
  rewriting('data put again that is merged', 'edges', (mutation, model) => {
    if (mutation.op !== 'putEdge' || mutation.edge.data === undefined) return mutation
    const { source, name, target, data } = mutation.edge
    const found = model.edges.find(
      edge => edge.source === source && edge.name === name && edge.target === target,
    )
    return { op: 'putEdge', edge: { ...mutation.edge, data: { ...found?.data, ...data } } }
  }),
  rewriting('empty data that is dropped', 'edges', mutation =>
    mutation.op === 'putEdge' && Object.keys(mutation.edge.data ?? {}).length === 0
      ? { op: 'putEdge', edge: { ...mutation.edge, data: undefined } }
      : mutation,
  ),
  rewriting('times that are rounded', 'edges', mutation =>
    mutation.op === 'putEdge' && Math.abs(mutation.edge.time) > 2 ** 45
      ? { op: 'putEdge', edge: { ...mutation.edge, time: Math.round(mutation.edge.time / 10) * 10 } }
      : mutation,
  ),
  rewriting('a put that merges', 'nodes', (mutation, model) =>
    mutation.op === 'putNode' && model.nodes.has(mutation.node.id)
      ? { op: 'patchNode', id: mutation.node.id, fields: mutation.node.fields }
      : mutation,
  ),
  rewriting('a patch that replaces', 'nodes', mutation =>
    mutation.op === 'patchNode' ? { op: 'putNode', node: { ...mutation, type: 'thing' } } : mutation,
  ),
  rewriting('patches that end after 120 fields', 'nodes', mutation =>
    mutation.op === 'patchNode'
      ? { ...mutation, fields: Object.fromEntries(Object.entries(mutation.fields).slice(0, 120)) }
      : mutation,
  ),
  rewriting('texts that end after 64 KiB', 'text', mutation =>
    mutation.op === 'putNode'
      ? { op: 'putNode', node: { ...mutation.node, fields: cut(mutation.node.fields) } }
      : mutation,
  ),
  rewriting('texts of data that end after 64 KiB', 'text', mutation =>
    mutation.op === 'putEdge' && mutation.edge.data !== undefined
      ? { op: 'putEdge', edge: { ...mutation.edge, data: cut(mutation.edge.data) } }
      : mutation,
  ),
  rewriting('text that ends at U+0000', 'text', mutation =>
    mutation.op === 'putEdge'
      ? { op: 'putEdge', edge: { ...mutation.edge, name: mutation.edge.name.split('\u0000')[0] ?? '' } }
      : mutation,
  ),
  rewriting('fields that are assigned, so that __proto__ is lost', 'text', mutation =>
    mutation.op === 'putNode'
      ? { op: 'putNode', node: { ...mutation.node, fields: Object.assign({}, mutation.node.fields) } }
      : mutation,
  ),
  rewriting('digests without regard to case', 'tokens', mutation =>
    mutation.op === 'putToken' ? { ...mutation, digest: mutation.digest.toLowerCase() } : mutation,
  ),
  rewriting('times of tokens that are none at 0', 'tokens', mutation =>
    mutation.op === 'putToken'
      ? { ...mutation, token: { ...mutation.token, revokedAt: mutation.token.revokedAt || undefined } }
      : mutation,
  ),
  sabotage('tokens that have expired and are dropped', 'tokens', (model, mutation, index) => {
    if (mutation.op === 'putToken' && Number(mutation.token.expiresAt) < mutation.token.issuedAt) return
    applyMutation(model, mutation, index)
  }),
  rewriting('tokens that keep only the members that the store knows', 'tokens', mutation => {
    if (mutation.op !== 'putToken') return mutation
    const { viewer, app, scopes, issuedAt, expiresAt, revokedAt, generation, viewerType } = mutation.token
    const known = { viewer, app, scopes, issuedAt, expiresAt, revokedAt, generation }
    return { ...mutation, token: viewerType === undefined ? known : { ...known, viewerType } }
  }),
  rewriting('tokens whose new members are merged into the old ones', 'tokens', (mutation, model) =>
    mutation.op === 'putToken'
      ? { ...mutation, token: { ...model.tokens.get(mutation.digest), ...mutation.token } }
      : mutation,
  ),
  rewriting('scopes as a set in order', 'tokens', mutation =>
    mutation.op === 'putToken'
      ? { ...mutation, token: { ...mutation.token, scopes: mutation.token.scopes.toSorted() } }
      : mutation,
  ),
]
