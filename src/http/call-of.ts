import { describe } from '../base/describe.ts'
import { badParameter } from '../base/faults.ts'
import type { Call } from '../execute/call.ts'
import type { EdgeQuestion } from '../execute/has-edge.ts'
import type { HostedEdgeCall } from '../execute/hosted-reads.ts'
import type { NodeCall } from '../execute/reads.ts'
import type { Exchange } from './exchange.ts'

const DEBUG = ['all', 'info', 'warning']

const debugOf = ({ parameters }: Exchange): 'all' | undefined => {
  const text = parameters.text('debug')
  if (text === undefined || DEBUG.includes(text)) return text === undefined ? undefined : 'all'
  throw badParameter('debug', 'all, info or warning', 'another word')
}

/** What a call asks whatever it reads. @throws GraphError `bad_parameter`. */
export const callOf = (exchange: Exchange): Call => {
  const { parameters, version, proof, request, service } = exchange
  return {
    fields: parameters.fields(),
    version,
    proof,
    signal: request.signal,
    debug: debugOf(exchange),
    partial: parameters.flag('partial'),
    unknownFields: service.settings.unknownFields,
  }
}

/** The type that a node must have; the in-process option `type`. @throws GraphError `bad_parameter`. */
export const typeOf = ({ parameters, service: { engine } }: Exchange): string | undefined => {
  const type = parameters.text('node_type')
  if (type === undefined || engine.registry.type(type) !== undefined) return type
  throw badParameter('node_type', 'a type of the schema', 'another word')
}

/** The same of a node. Each call is one literal: to spread one into another takes as long as reading its parameters. */
export const nodeCallOf = (exchange: Exchange, id: string): NodeCall => {
  const { parameters, version, proof, request, service } = exchange
  return {
    fields: parameters.fields(),
    version,
    proof,
    signal: request.signal,
    debug: debugOf(exchange),
    partial: parameters.flag('partial'),
    unknownFields: service.settings.unknownFields,
    metadata: parameters.flag('metadata'),
    id,
    type: typeOf(exchange),
  }
}

/** Pages go by cursors: whoever counts entries would get the first page again and again. */
const assertNoOffset = ({ parameters }: Exchange): void => {
  const offset = parameters.text('offset')
  if (offset !== undefined && offset !== '0')
    throw badParameter('offset', '0, and after or before for other pages', describe(offset))
}

/** The same of the edge of one name; of which node or nodes is added. */
export const edgeCallOf = (exchange: Exchange, edge: string): HostedEdgeCall => {
  assertNoOffset(exchange)
  const { parameters, version, proof, request, service } = exchange
  return {
    fields: parameters.fields(),
    version,
    proof,
    signal: request.signal,
    debug: debugOf(exchange),
    partial: parameters.flag('partial'),
    unknownFields: service.settings.unknownFields,
    type: typeOf(exchange),
    edge,
    limit: parameters.text('limit'),
    after: parameters.text('after'),
    before: parameters.text('before'),
    since: parameters.text('since'),
    until: parameters.text('until'),
    order: parameters.text('order'),
    summary: parameters.text('summary')?.toLowerCase(),
  }
}

/** The same of one entry of an edge, by its target. */
export const entryCallOf = (
  exchange: Exchange,
  { id, name, target }: { readonly id: string; readonly name: string; readonly target: string },
): Call & EdgeQuestion => ({ ...callOf(exchange), type: typeOf(exchange), id, edge: name, target })
