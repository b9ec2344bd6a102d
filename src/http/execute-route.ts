import type { Awaitable } from '../base/awaitable.ts'
import { shortenText } from '../base/describe.ts'
import { invalidParameterError } from '../base/errors.ts'
import { runAction } from './action-route.ts'
import { invalidBatchError } from './batch/invalid-batch.ts'
import { type ItemResponder, respondToBatch } from './batch/respond-to-batch.ts'
import { isReadMethod, methodNotSupportedError } from './methods.ts'
import { pathNotFoundError, type Route } from './parse-url.ts'
import type { ParsedRequest } from './parsed-request.ts'
import { createDefaultPictureResponse, isPictureField, readPictures, respondWithPicture } from './picture.ts'
import type { RouteResult } from './responses.ts'
import { assertOriginAllowed } from './same-origin.ts'
import { parseEdgeParameters, parseNodeType, toCall, toEdgeCall, toNodeCall } from './to-call.ts'
import { describeToken, readPermissions } from './token-information.ts'

const readNode = (parsed: ParsedRequest, id: string): Awaitable<string> =>
  parsed.readApi.getNode(parsed.token, toNodeCall(parsed, id))

const readRoot = (parsed: ParsedRequest): Awaitable<RouteResult> => {
  const { parameters, readApi, token } = parsed
  const ids = parameters.getIds()
  const id = parameters.getText('id')
  if (ids !== undefined && id !== undefined)
    throw invalidParameterError('id', 'left out if "ids" is given', 'both')
  if (ids !== undefined)
    return readApi.getNodes(token, { ...toCall(parsed), metadata: parameters.getFlag('metadata'), ids })
  if (id !== undefined) return readNode(parsed, id)
  throw methodNotSupportedError(
    'GET',
    'The request names no node: add an id to the path, or the parameter "ids"',
  )
}

/** Reads a path with one part: a node, or with `ids` an edge or a picture of the nodes with these ids. */
const readNodeOrEdges = (parsed: ParsedRequest, name: string): Awaitable<RouteResult> => {
  const ids = parsed.parameters.getIds()
  if (ids === undefined) return readNode(parsed, name)
  if (isPictureField(parsed, name)) return readPictures(parsed, ids, name)
  return parsed.readApi.getEdges(parsed.token, Object.assign(toEdgeCall(parsed, name), { ids }))
}

const assertNoIds = ({ parameters }: ParsedRequest): void => {
  if (parameters.has('ids')) throw invalidParameterError('ids', 'left out if the path has an id', 'both')
}

const readEntry = (
  parsed: ParsedRequest,
  route: Route & { readonly kind: 'entry' },
): Awaitable<RouteResult> => {
  assertNoIds(parsed)
  const { id, name, target } = route
  if (name === 'permissions' || isPictureField(parsed, name)) throw pathNotFoundError([target])
  return parsed.readApi.getEdgeEntry(parsed.token, {
    ...toCall(parsed),
    type: parseNodeType(parsed),
    id,
    edge: name,
    target,
    parameters: parseEdgeParameters(parsed, name),
  })
}

const readEdge = (parsed: ParsedRequest, id: string, name: string): Awaitable<RouteResult> => {
  assertNoIds(parsed)
  if (name === 'permissions') return readPermissions(parsed, id)
  if (isPictureField(parsed, name)) return respondWithPicture(parsed, id, name)
  return parsed.readApi.getEdge(parsed.token, Object.assign(toEdgeCall(parsed, name), { id }))
}

const readRoute = (parsed: ParsedRequest): Awaitable<RouteResult> => {
  const { route, context, version, baseUrl } = parsed
  switch (route.kind) {
    case 'root':
      return readRoot(parsed)
    case 'nodeOrEdges':
      return readNodeOrEdges(parsed, route.name)
    case 'edge':
      return readEdge(parsed, route.id, route.name)
    case 'entry':
      return readEntry(parsed, route)
    case 'debug_token':
      return describeToken(parsed)
    case 'defaultPicture':
      return createDefaultPictureResponse()
    case 'openapi':
      return context.openApi.getText(context.engine.registry.resolveVersion(version), baseUrl)
  }
}

/**
 * Rejects a request that is sent as `GET` or `HEAD` with the parameter `method` of another method. Browsers,
 * proxies and crawlers may send such a request at any time, so it must never write.
 */
const assertSameKindOfMethod = ({ method, parameters }: ParsedRequest): void => {
  const override = parameters.getText('method')
  if (override === undefined || !isReadMethod(method) || isReadMethod(override)) return
  throw methodNotSupportedError(override.toUpperCase(), 'The parameter "method" applies to POST requests')
}

/** Rejects a file, because no read and no action accepts one. */
const assertNoFile = ({ fileName }: ParsedRequest): void => {
  if (fileName !== undefined) throw invalidParameterError(shortenText(fileName), 'a value', 'a file')
}

/** Whether a request is a batch, which clients post to the root or to `/me`. */
const isBatchRequest = ({ method, parameters, route }: ParsedRequest): boolean =>
  method === 'POST' &&
  parameters.has('batch') &&
  (route.kind === 'root' || (route.kind === 'nodeOrEdges' && route.name === 'me'))

/**
 * Runs the batch, the read or the action that a request describes.
 *
 * @throws GraphError if the request fails.
 */
export const executeRoute = (parsed: ParsedRequest, responder: ItemResponder): Awaitable<RouteResult> => {
  const { method, route, batch, request, context } = parsed
  // The requests of a batch have been checked with their batch.
  if (batch === undefined) assertOriginAllowed(context, request, method)
  // These responses need no token and are not charged, so a batch must not multiply them.
  if (batch !== undefined && (route.kind === 'openapi' || route.kind === 'defaultPicture'))
    throw invalidBatchError(
      'A batch can read only nodes and edges: request openapi.json and default-picture.svg separately',
    )
  assertSameKindOfMethod(parsed)
  assertNoFile(parsed)
  if (isBatchRequest(parsed)) return respondToBatch(parsed, responder)
  if (isReadMethod(method)) return readRoute(parsed)
  if (context.engine.actions !== undefined) return runAction(parsed)
  throw methodNotSupportedError(method, 'Use GET to read this graph')
}
