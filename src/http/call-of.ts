import { badParameter } from '../base/faults.ts'
import type { Call } from '../execute/call.ts'
import type { HostedEdgeCall } from '../execute/hosted-reads.ts'
import type { Exchange } from './exchange.ts'

const DEBUG = ['all', 'info', 'warning']

const debugOf = ({ parameters }: Exchange): 'all' | undefined => {
  const text = parameters.text('debug')
  if (text === undefined || DEBUG.includes(text)) return text === undefined ? undefined : 'all'
  throw badParameter('debug', 'all, info or warning', 'another word')
}

/** What a call asks whatever it reads. @throws GraphError `bad_parameter`. */
export const callOf = (exchange: Exchange): Call => {
  const { parameters, version, proof, request } = exchange
  return {
    fields: parameters.list('fields'),
    version,
    proof,
    signal: request.signal,
    debug: debugOf(exchange),
    partial: parameters.flag('partial'),
  }
}

/** The same of nodes. */
export const nodeCallOf = (exchange: Exchange): Call => ({
  ...callOf(exchange),
  metadata: exchange.parameters.flag('metadata'),
})

/** The type that a node must have; the in-process option `type`. @throws GraphError `bad_parameter`. */
export const typeOf = ({ parameters, service: { engine } }: Exchange): string | undefined => {
  const type = parameters.text('node_type')
  if (type === undefined || engine.registry.type(type) !== undefined) return type
  throw badParameter('node_type', 'a type of the schema', 'another word')
}

/** Clients in the wild ask for a summary by `true`, by `1`, or by a list of what it should hold. */
const summaryOf = ({ parameters }: Exchange): unknown => {
  const text = parameters.text('summary')?.toLowerCase()
  return text === 'total_count' || (text?.startsWith('[') && parameters.list('summary')) ? true : text
}

/** The same of the edges of one name. */
export const edgeCallOf = (exchange: Exchange, edge: string): HostedEdgeCall => {
  const { parameters } = exchange
  const text = (name: string): string | undefined => parameters.text(name)
  return {
    ...callOf(exchange),
    type: typeOf(exchange),
    edge,
    limit: text('limit'),
    after: text('after'),
    before: text('before'),
    since: text('since'),
    until: text('until'),
    order: text('order'),
    summary: summaryOf(exchange),
  }
}
