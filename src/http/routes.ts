import type { Awaitable } from '../base/awaitable.ts'
import { badParameter, GraphError } from '../base/faults.ts'
import { answerBatch, type ItemResponder } from './batch/answer-batch.ts'
import { badBatch } from './batch/bad-batch.ts'
import { callOf, edgeCallOf, entryCallOf, nodeCallOf } from './call-of.ts'
import { describeToken } from './debug-token.ts'
import type { Exchange } from './exchange.ts'
import { answerPermissions } from './permissions.ts'
import { answerPicture, answerPictures, isPicture } from './picture.ts'
import type { Answer } from './reply.ts'
import { type Route, unknownPath } from './route.ts'
import { silhouetteImage } from './silhouette.ts'

/** Clients look for the first of the two sentences. */
const unsupported = (method: string, why: string): GraphError => {
  // What was sent is told only if it is a word.
  const word = /^[A-Z]{1,20}$/.test(method) ? `${method.toLowerCase()} ` : ''
  return new GraphError('method_not_supported', `Unsupported ${word}request. ${why}`)
}

const node = (exchange: Exchange, id: string): Awaitable<string> =>
  exchange.reads.node(exchange.token, nodeCallOf(exchange, id))

const root = (exchange: Exchange): Awaitable<Answer> => {
  const { parameters, reads, token } = exchange
  const ids = parameters.ids()
  const id = parameters.text('id')
  if (ids !== undefined && id !== undefined) throw badParameter('id', 'id or ids, not both', 'both')
  if (ids !== undefined)
    return reads.nodes(token, { ...callOf(exchange), metadata: parameters.flag('metadata'), ids })
  if (id !== undefined) return node(exchange, id)
  throw unsupported('GET', 'Nothing is asked for: say an id, ids, or an edge of one')
}

/** One part of a path: a node, or, where `ids` says of what, an edge. */
const one = (exchange: Exchange, name: string): Awaitable<Answer> => {
  const ids = exchange.parameters.ids()
  if (ids === undefined) return node(exchange, name)
  if (isPicture(exchange, name)) return answerPictures(exchange, ids, name)
  return exchange.reads.edges(exchange.token, Object.assign(edgeCallOf(exchange, name), { ids }))
}

const assertNoIds = ({ parameters }: Exchange): void => {
  if (parameters.has('ids')) throw badParameter('ids', 'an id in the path or ids, not both', 'both')
}

const three = (exchange: Exchange, route: Route & { readonly kind: 'three' }): Awaitable<Answer> => {
  assertNoIds(exchange)
  const { name, target } = route
  if (name === 'permissions' || isPicture(exchange, name)) throw unknownPath([target])
  return exchange.reads.entry(exchange.token, entryCallOf(exchange, route))
}

const two = (exchange: Exchange, id: string, name: string): Awaitable<Answer> => {
  assertNoIds(exchange)
  if (name === 'permissions') return answerPermissions(exchange, id)
  if (isPicture(exchange, name)) return answerPicture(exchange, id, name)
  return exchange.reads.edge(exchange.token, Object.assign(edgeCallOf(exchange, name), { id }))
}

const read = (exchange: Exchange): Awaitable<Answer> => {
  const { route, service, version, base } = exchange
  switch (route.kind) {
    case 'root':
      return root(exchange)
    case 'one':
      return one(exchange, route.name)
    case 'two':
      return two(exchange, route.id, route.name)
    case 'three':
      return three(exchange, route)
    case 'debug_token':
      return describeToken(exchange)
    case 'silhouette':
      return silhouetteImage()
    case 'openapi':
      return service.openApi.of(service.engine.registry.version(version), base)
  }
}

/** Whether a request is a batch, which clients post to the root or to `/me`. */
const isBatch = ({ method, parameters, route }: Exchange): boolean =>
  method === 'POST' &&
  parameters.has('batch') &&
  (route.kind === 'root' || (route.kind === 'one' && route.name === 'me'))

/** Does what a request asks. @throws GraphError */
export const answerRoute = (exchange: Exchange, responder: ItemResponder): Awaitable<Answer> => {
  const { method, route, enclosing } = exchange
  // They take no token and are charged to nobody: many in one request would be many answers for nothing.
  if (enclosing !== undefined && (route.kind === 'openapi' || route.kind === 'silhouette'))
    throw badBatch('A batch reads nodes and edges: openapi.json and silhouette.svg are asked for alone')
  if (isBatch(exchange)) return answerBatch(exchange, responder)
  if (method === 'GET' || method === 'HEAD') return read(exchange)
  throw unsupported(method, 'This graph is read by GET')
}
