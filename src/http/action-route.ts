import { invalidParameterError } from '../base/errors.ts'
import type { ActionCall } from '../execute/action-runtime.ts'
import { methodNotSupportedError } from './methods.ts'
import type { ParsedRequest } from './parsed-request.ts'
import { parsePretty } from './parsed-request.ts'
import { createUncachedResponse, indentJson } from './responses.ts'
import { parseDebug, parseNodeType } from './to-call.ts'
import { headerOf, type WireResponse } from './wire.ts'

/** The header with the idempotency key of an action. */
export const KEY_HEADER_NAME = 'idempotency-key'

/** The part of a path that names an action: the source, an edge or an action, and the target of the edge. */
type ActionPath = { readonly id: string; readonly name?: string; readonly target?: string }

/** @throws GraphError `method_not_supported` for a path without a source, or a target in the path of a `POST`. */
const parseActionPath = ({ method, route, parameters }: ParsedRequest): ActionPath => {
  switch (route.kind) {
    case 'nodeOrEdges':
      return { id: route.name }
    case 'edge':
      return { id: route.id, name: route.name }
    case 'entry':
      if (method === 'DELETE') return { id: route.id, name: route.name, target: route.target }
      throw methodNotSupportedError(
        method,
        'Only the path of a DELETE request may have the target of an edge',
      )
    case 'root': {
      const id = parameters.getText('id')
      if (id !== undefined) return { id }
      throw methodNotSupportedError(method, 'The request names no node: add an id to the path')
    }
    default:
      throw methodNotSupportedError(method, 'Use GET for this path')
  }
}

/** Returns the parameters of the action. The target of an edge may be a part of the path. */
const parseActionParameters = (parsed: ParsedRequest, { target }: ActionPath): ActionCall['parameters'] => {
  const { parameters } = parsed
  if (parameters.has('ids')) throw invalidParameterError('ids', 'left out of a request that writes', 'ids')
  return parameters.getActionParameters(target === undefined ? [] : [['target', target]])
}

const OPERATIONS: ReadonlyMap<string, 'add' | 'remove'> = new Map([
  ['POST', 'add'],
  ['DELETE', 'remove'],
])

const toActionCall = (parsed: ParsedRequest): ActionCall => {
  const { method, parameters, version, proof, request, context } = parsed
  const operation = OPERATIONS.get(method)
  if (operation === undefined) throw methodNotSupportedError(method, 'Use GET, POST or DELETE')
  const path = parseActionPath(parsed)
  return {
    id: path.id,
    type: parseNodeType(parsed),
    target: { kind: 'path', operation, name: path.name },
    parameters: parseActionParameters(parsed, path),
    idempotencyKey: headerOf(request, KEY_HEADER_NAME),
    fields: parameters.getFields(),
    version,
    proof,
    signal: request.signal,
    debug: parseDebug(parsed),
    unknownFields: context.settings.unknownFields,
  }
}

/**
 * Runs the action that a request names, and returns its response.
 *
 * @throws GraphError if the request is invalid or the action fails.
 */
export const runAction = async (parsed: ParsedRequest): Promise<WireResponse> => {
  const text = await parsed.readApi.callAction(parsed.token, toActionCall(parsed))
  const isPretty = parsePretty(parsed.parameters.getText('pretty')) === true
  return createUncachedResponse(isPretty ? indentJson(text) : text)
}
