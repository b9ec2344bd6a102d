import { toTime } from '../base/dates.ts'
import { isNodeId, type NodeId } from '../base/ids.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import type { EdgeKey } from '../store/contract.ts'
import {
  createUnknownNameIssue,
  requireKnownMembers,
  requireObject,
  type UnknownObject,
} from './input-values.ts'

/** A node as the caller passes it, before validation. */
type UntypedNodeInput = { readonly id: NodeId; readonly type: string; readonly fields: UnknownObject }

/** An edge as the caller passes it, before validation. */
type UntypedEdgeInput = EdgeKey & {
  /** Integer milliseconds, a `Date` or ISO 8601. */
  readonly time: number | string | Date
  readonly data?: UnknownObject | undefined
}

/**
 * One change of a write. `putNode` replaces the whole node; `patchNode` changes the named fields, and null
 * removes a field; `deleteNode` also deletes the node's edges. An edge without a time gets the current time.
 * Mirrors are automatic: writing either side writes both sides.
 */
export type UntypedMutation =
  | { readonly op: 'putNode'; readonly node: UntypedNodeInput }
  | { readonly op: 'patchNode'; readonly id: NodeId; readonly fields: UnknownObject }
  | { readonly op: 'deleteNode'; readonly id: NodeId }
  | {
      readonly op: 'putEdge'
      readonly edge: Omit<UntypedEdgeInput, 'time'> & { readonly time?: UntypedEdgeInput['time'] | undefined }
    }
  | { readonly op: 'deleteEdge'; readonly edge: EdgeKey }

/** One record of a load: a line of NDJSON, or an item of an iterable. */
export type UntypedLoadRecord = { readonly node: UntypedNodeInput } | { readonly edge: UntypedEdgeInput }

/**
 * A mutation with valid ids and times. Its names and values are validated when the types of its nodes are
 * known.
 */
export type ParsedMutation =
  | { readonly op: 'putNode'; readonly id: NodeId; readonly type: string; readonly fields: unknown }
  | { readonly op: 'patchNode'; readonly id: NodeId; readonly fields: unknown }
  | { readonly op: 'deleteNode'; readonly id: NodeId }
  | (EdgeKey & { readonly op: 'putEdge'; readonly time: number; readonly data: unknown })
  | (EdgeKey & { readonly op: 'deleteEdge' })

/** A parsed mutation of one operation. */
export type ParsedMutationOf<TOp extends ParsedMutation['op']> = Extract<ParsedMutation, { readonly op: TOp }>

/** An item of a write or load: its parsed mutation, or its issue if the item is invalid. */
export type ParsedItem = { readonly parsed: ParsedMutation | ValidationIssue }

const NODE_MEMBERS = ['id', 'type', 'fields']
const EDGE_MEMBERS = ['source', 'name', 'target', 'time', 'data']
const RECORD_MEMBERS = ['node', 'edge']
const EDGE_KEY_MEMBERS: readonly (keyof EdgeKey)[] = ['source', 'name', 'target']

const parseNodeId = (value: unknown, path: string): NodeId => {
  if (!isNodeId(value))
    throw new ValidationIssue('a node id: a string of digits, "1" to "9223372036854775807"', value, path)
  return value
}

const parseName = (value: unknown, kindName: string, path: string): string => {
  if (typeof value !== 'string') throw new ValidationIssue(`the name of ${kindName}`, value, path)
  return value
}

const parseEdgeTime = (value: unknown): number => {
  const time = toTime(value)
  if (time === undefined) {
    throw new ValidationIssue('integer milliseconds, a Date or an ISO 8601 date', value, 'edge.time')
  }
  return time
}

const parsePutNode = (value: unknown): ParsedMutation => {
  const { id, type, fields } = requireKnownMembers(value, 'node', NODE_MEMBERS)
  return {
    op: 'putNode',
    id: parseNodeId(id, 'node.id'),
    type: parseName(type, 'a type', 'node.type'),
    fields,
  }
}

const parsePutEdge = (value: unknown, defaultTime?: number): ParsedMutation => {
  const { source, name, target, time = defaultTime, data } = requireKnownMembers(value, 'edge', EDGE_MEMBERS)
  return {
    op: 'putEdge',
    source: parseNodeId(source, 'edge.source'),
    name: parseName(name, 'an edge', 'edge.name'),
    target: parseNodeId(target, 'edge.target'),
    time: parseEdgeTime(time),
    data,
  }
}

const parseDeleteEdge = (value: unknown): ParsedMutation => {
  const { source, name, target } = requireKnownMembers(value, 'edge', EDGE_KEY_MEMBERS)
  return {
    op: 'deleteEdge',
    source: parseNodeId(source, 'edge.source'),
    name: parseName(name, 'an edge', 'edge.name'),
    target: parseNodeId(target, 'edge.target'),
  }
}

type ParseMutation = (mutation: UnknownObject, now: number) => ParsedMutation

const MUTATION_PARSERS: ReadonlyMap<string, ParseMutation> = new Map<string, ParseMutation>([
  ['putNode', mutation => parsePutNode(requireKnownMembers(mutation, '', ['op', 'node']).node)],
  [
    'patchNode',
    mutation => {
      const { id, fields } = requireKnownMembers(mutation, '', ['op', 'id', 'fields'])
      return { op: 'patchNode', id: parseNodeId(id, 'id'), fields }
    },
  ],
  [
    'deleteNode',
    mutation => ({
      op: 'deleteNode',
      id: parseNodeId(requireKnownMembers(mutation, '', ['op', 'id']).id, 'id'),
    }),
  ],
  ['putEdge', (mutation, now) => parsePutEdge(requireKnownMembers(mutation, '', ['op', 'edge']).edge, now)],
  ['deleteEdge', mutation => parseDeleteEdge(requireKnownMembers(mutation, '', ['op', 'edge']).edge)],
])

/**
 * Parses one mutation of a write. An edge without a time gets `now`.
 *
 * @throws a {@link ValidationIssue}.
 */
export const parseMutation = (value: unknown, now: number): ParsedMutation => {
  const mutation = requireObject(value, '', 'an object with "op"')
  const { op } = mutation
  const parse = typeof op === 'string' ? MUTATION_PARSERS.get(op) : undefined
  if (parse === undefined) throw createUnknownNameIssue('op', 'an operation', op, MUTATION_PARSERS.keys())
  return parse(mutation, now)
}

/**
 * Parses one loaded record: `{ node }` or `{ edge }`.
 *
 * @throws a {@link ValidationIssue}.
 */
export const parseLoadRecord = (value: unknown): ParsedMutation => {
  const { node, edge } = requireKnownMembers(value, '', RECORD_MEMBERS)
  if (node !== undefined && edge === undefined) return parsePutNode(node)
  if (edge !== undefined && node === undefined) return parsePutEdge(edge)
  throw new ValidationIssue('an object with either "node" or "edge"', value)
}

/** Returns the result of `parse`, or the issue that it throws. */
export const tryParse = (parse: () => ParsedMutation): ParsedMutation | ValidationIssue => {
  try {
    return parse()
  } catch (error) {
    if (error instanceof ValidationIssue) return error
    throw error
  }
}
