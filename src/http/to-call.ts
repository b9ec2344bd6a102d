import { describeValue } from '../base/describe.ts'
import { invalidParameterError } from '../base/errors.ts'
import type {
  GetEdgeOptions,
  GetMeOptions,
  GetNodeOptions,
  HandlerReadOptions,
} from '../interface/read-options.ts'
import { getOwn } from '../schema/node.ts'
import type { ParsedRequest } from './parsed-request.ts'

const DEBUG_VALUES = ['all', 'info', 'warning']

/**
 * Parses `debug`, which requests messages about the response.
 *
 * @throws GraphError `invalid_parameter`.
 */
export const parseDebug = ({ parameters }: ParsedRequest): 'all' | undefined => {
  const text = parameters.getText('debug')
  if (text === undefined || DEBUG_VALUES.includes(text)) return text === undefined ? undefined : 'all'
  throw invalidParameterError('debug', '"all", "info" or "warning"', 'another value')
}

/**
 * Reads the options that all calls have in common.
 *
 * @throws GraphError `invalid_parameter`.
 */
export const toCall = (parsed: ParsedRequest): HandlerReadOptions<GetMeOptions> => {
  const { parameters, version, proof, request, context } = parsed
  return {
    fields: parameters.getFields(),
    version,
    proof,
    signal: request.signal,
    debug: parseDebug(parsed),
    partial: parameters.getFlag('partial'),
    unknownFields: context.settings.unknownFields,
  }
}

/**
 * Parses `node_type`, the type that the node must have. The option `type` of in-process calls corresponds to
 * it.
 *
 * @throws GraphError `invalid_parameter` for a type that the schema does not have.
 */
export const parseNodeType = ({ parameters, context: { engine } }: ParsedRequest): string | undefined => {
  const type = parameters.getText('node_type')
  if (type === undefined || engine.registry.getType(type) !== undefined) return type
  throw invalidParameterError('node_type', 'a type of the schema', 'another value')
}

/**
 * Reads the options of `getNode`. Creates one object literal, because spreading the result of `toCall` would
 * take as long as reading the parameters.
 */
export const toNodeCall = (parsed: ParsedRequest, id: string): HandlerReadOptions<GetNodeOptions> => {
  const { parameters, version, proof, request, context } = parsed
  return {
    fields: parameters.getFields(),
    version,
    proof,
    signal: request.signal,
    debug: parseDebug(parsed),
    partial: parameters.getFlag('partial'),
    unknownFields: context.settings.unknownFields,
    metadata: parameters.getFlag('metadata'),
    id,
    type: parseNodeType(parsed),
  }
}

/**
 * Rejects `offset`. Paging uses cursors, and if the offset were ignored, a client would read the first page
 * again and again.
 */
const assertNoOffset = ({ parameters }: ParsedRequest): void => {
  const offset = parameters.getText('offset')
  if (offset !== undefined && offset !== '0')
    throw invalidParameterError(
      'offset',
      '0 (other pages are read with "after" or "before")',
      describeValue(offset),
    )
}

/**
 * Reads the parameters of the edge in the path, as texts. The engine rejects those that the edge does not
 * have. Empty text is the value of a string, and otherwise means that the parameter has no value.
 *
 * @throws GraphError `invalid_parameter` for a parameter with two different values.
 */
export const parseEdgeParameters = (
  { parameters, context: { engine } }: ParsedRequest,
  edge: string,
): { readonly [name: string]: string } | undefined => {
  const { registry } = engine
  return parameters.getEdgeParameters(name =>
    registry.sourceTypesOf(edge).some(type => {
      const declaredParameters = registry.getEdge(type, edge)?.parameters ?? {}
      return getOwn(declaredParameters, name)?.kind === 'string'
    }),
  )
}

/** Reads the options of `getEdge` and `getEdges`. The caller adds the id or the ids. */
export const toEdgeCall = (
  parsed: ParsedRequest,
  edge: string,
): HandlerReadOptions<Omit<GetEdgeOptions, 'id'>> => {
  assertNoOffset(parsed)
  const { parameters, version, proof, request, context } = parsed
  return {
    fields: parameters.getFields(),
    version,
    proof,
    signal: request.signal,
    debug: parseDebug(parsed),
    partial: parameters.getFlag('partial'),
    unknownFields: context.settings.unknownFields,
    type: parseNodeType(parsed),
    edge,
    parameters: parseEdgeParameters(parsed, edge),
    limit: parameters.getText('limit'),
    after: parameters.getText('after'),
    before: parameters.getText('before'),
    since: parameters.getText('since'),
    until: parameters.getText('until'),
    order: parameters.getText('order'),
    summary: parameters.getText('summary')?.toLowerCase(),
  }
}
