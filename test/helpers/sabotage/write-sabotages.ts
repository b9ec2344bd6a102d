import type { JsonObject } from '../../../src/base/json.ts'
import type { EdgeRecord } from '../../../src/store/contract.ts'
import { applyMutation, readModel } from '../../../src/testing/model.ts'
import { createModelStoreWith } from '../../../src/testing/model-store.ts'
import { type Sabotage, sabotageMutation } from './sabotage.ts'

type Apply = typeof applyMutation

const createWriteSabotage = (name: string, section: string, apply: Apply): Sabotage => ({
  name,
  section,
  create: () => createModelStoreWith({ apply, read: readModel }),
})

const joinKey = ({ source, name, target }: EdgeRecord): string => `${source}${name}${target}`

const createDeletion =
  (isKept: (edge: EdgeRecord, id: string) => boolean): Apply =>
  (model, mutation, index) => {
    if (mutation.op !== 'deleteNode') return applyMutation(model, mutation, index)
    model.nodes.delete(mutation.id)
    model.edges = model.edges.filter(edge => isKept(edge, mutation.id))
  }

const MAX_TEXT_LENGTH = 64 * 1024

const truncateTexts = (fields: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, MAX_TEXT_LENGTH) : value,
    ]),
  )

/** Stores that write nodes, edges and tokens wrongly. */
export const writeSabotages: readonly Sabotage[] = [
  createWriteSabotage(
    'edges that remain after their target is deleted',
    'deletion',
    createDeletion(() => true),
  ),
  createWriteSabotage(
    'a node deleted without the edges to it',
    'deletion',
    createDeletion((edge, id) => edge.source !== id),
  ),
  createWriteSabotage(
    'a node deleted without the edges from it',
    'deletion',
    createDeletion((edge, id) => edge.target !== id),
  ),
  createWriteSabotage('keys that are joined strings', 'text', (model, mutation, index) => {
    if (mutation.op === 'putEdge')
      model.edges = model.edges.filter(edge => joinKey(edge) !== joinKey(mutation.edge))
    applyMutation(model, mutation, index)
  }),
  createWriteSabotage('an edge put twice that exists twice', 'edges', (model, mutation, index) => {
    if (mutation.op === 'putEdge') model.edges.push(mutation.edge)
    else applyMutation(model, mutation, index)
  }),
  sabotageMutation('an edge put again that keeps its time', 'edges', (mutation, model) => {
    if (mutation.op !== 'putEdge') return mutation
    const { source, name, target } = mutation.edge
    const found = model.edges.find(
      edge => edge.source === source && edge.name === name && edge.target === target,
    )
    return found === undefined ? mutation : { op: 'putEdge', edge: { ...mutation.edge, time: found.time } }
  }),
  sabotageMutation('new data that is merged with the old data', 'edges', (mutation, model) => {
    if (mutation.op !== 'putEdge' || mutation.edge.data === undefined) return mutation
    const { source, name, target, data } = mutation.edge
    const found = model.edges.find(
      edge => edge.source === source && edge.name === name && edge.target === target,
    )
    return { op: 'putEdge', edge: { ...mutation.edge, data: { ...found?.data, ...data } } }
  }),
  sabotageMutation('empty data that is dropped', 'edges', mutation =>
    mutation.op === 'putEdge' && Object.keys(mutation.edge.data ?? {}).length === 0
      ? { op: 'putEdge', edge: { ...mutation.edge, data: undefined } }
      : mutation,
  ),
  sabotageMutation('times that are rounded', 'edges', mutation =>
    mutation.op === 'putEdge' && Math.abs(mutation.edge.time) > 2 ** 45
      ? { op: 'putEdge', edge: { ...mutation.edge, time: Math.round(mutation.edge.time / 10) * 10 } }
      : mutation,
  ),
  sabotageMutation('a putNode that merges fields', 'nodes', (mutation, model) =>
    mutation.op === 'putNode' && model.nodes.has(mutation.node.id)
      ? { op: 'patchNode', id: mutation.node.id, fields: mutation.node.fields }
      : mutation,
  ),
  sabotageMutation('a patchNode that replaces all fields', 'nodes', mutation =>
    mutation.op === 'patchNode' ? { op: 'putNode', node: { ...mutation, type: 'thing' } } : mutation,
  ),
  sabotageMutation('patches that change only 120 fields', 'nodes', mutation =>
    mutation.op === 'patchNode'
      ? { ...mutation, fields: Object.fromEntries(Object.entries(mutation.fields).slice(0, 120)) }
      : mutation,
  ),
  sabotageMutation('texts that are cut off after 64 KiB', 'text', mutation =>
    mutation.op === 'putNode'
      ? { op: 'putNode', node: { ...mutation.node, fields: truncateTexts(mutation.node.fields) } }
      : mutation,
  ),
  sabotageMutation('texts in edge data that are cut off after 64 KiB', 'text', mutation =>
    mutation.op === 'putEdge' && mutation.edge.data !== undefined
      ? { op: 'putEdge', edge: { ...mutation.edge, data: truncateTexts(mutation.edge.data) } }
      : mutation,
  ),
  sabotageMutation('edge names that are cut off at U+0000', 'text', mutation =>
    mutation.op === 'putEdge'
      ? { op: 'putEdge', edge: { ...mutation.edge, name: mutation.edge.name.split('\u0000')[0] ?? '' } }
      : mutation,
  ),
  sabotageMutation('fields that are assigned, so that __proto__ is lost', 'text', mutation =>
    mutation.op === 'putNode'
      ? { op: 'putNode', node: { ...mutation.node, fields: Object.assign({}, mutation.node.fields) } }
      : mutation,
  ),
  sabotageMutation('digests that ignore case', 'tokens', mutation =>
    mutation.op === 'putToken' ? { ...mutation, digest: mutation.digest.toLowerCase() } : mutation,
  ),
  sabotageMutation('digests whose lone surrogates are replaced', 'tokens', mutation =>
    'digest' in mutation ? { ...mutation, digest: mutation.digest.toWellFormed() } : mutation,
  ),
  sabotageMutation('a revokedAt of 0 that is dropped', 'tokens', mutation =>
    mutation.op === 'putToken'
      ? { ...mutation, token: { ...mutation.token, revokedAt: mutation.token.revokedAt || undefined } }
      : mutation,
  ),
  createWriteSabotage('expired tokens that are dropped', 'tokens', (model, mutation, index) => {
    if (mutation.op === 'putToken' && Number(mutation.token.expiresAt) < mutation.token.issuedAt) return
    applyMutation(model, mutation, index)
  }),
  sabotageMutation('tokens that lose unknown members', 'tokens', mutation => {
    if (mutation.op !== 'putToken') return mutation
    const { viewer, app, scopes, issuedAt, expiresAt, revokedAt, generation, viewerType } = mutation.token
    const known = { viewer, app, scopes, issuedAt, expiresAt, revokedAt, generation }
    return { ...mutation, token: viewerType === undefined ? known : { ...known, viewerType } }
  }),
  sabotageMutation('tokens whose new members are merged into the old ones', 'tokens', (mutation, model) =>
    mutation.op === 'putToken'
      ? { ...mutation, token: { ...model.tokens.get(mutation.digest), ...mutation.token } }
      : mutation,
  ),
  sabotageMutation('scopes that are sorted', 'tokens', mutation =>
    mutation.op === 'putToken'
      ? { ...mutation, token: { ...mutation.token, scopes: mutation.token.scopes.toSorted() } }
      : mutation,
  ),
]
