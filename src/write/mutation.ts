import { toTime } from '../base/dates.ts'
import type { IdKind, NodeId } from '../base/ids.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import type { EdgeKey } from '../store/contract.ts'
import {
  createUnknownNameIssue,
  requireKnownMembers,
  requireObject,
  type UnknownObject,
} from './input-values.ts'
import { type ConditionKind, type ParsedCondition, parseCondition } from './parse-conditions.ts'
import { parseNodeId } from './parse-node-id.ts'

/** A node as the caller passes it, before validation. */
type UntypedNodeInput = { readonly id: NodeId; readonly type: string; readonly fields: UnknownObject }

/** The parameters that choose one of the stored lists of an edge. Default: their default values. */
type ListParameters = { readonly parameters?: UnknownObject | undefined }

/** An edge as the caller passes it, before validation. */
type UntypedEdgeInput = EdgeKey & {
  /** Integer milliseconds, a `Date` or ISO 8601. */
  readonly time: number | string | Date
  readonly data?: UnknownObject | undefined
} & ListParameters

/**
 * One change of a write. `putNode` replaces the whole node; `patchNode` changes the named fields, and null
 * removes a field; `deleteNode` also deletes the node's edges. An edge without a time gets the current time.
 * Mirrors are automatic: writing either side writes both sides.
 */
export type UntypedMutation =
  | { readonly op: 'putNode'; readonly node: UntypedNodeInput; readonly when?: UnknownObject | undefined }
  | {
      readonly op: 'patchNode'
      readonly id: NodeId
      readonly fields?: UnknownObject | undefined
      readonly increment?: UnknownObject | undefined
      readonly when?: UnknownObject | undefined
    }
  | { readonly op: 'deleteNode'; readonly id: NodeId; readonly when?: UnknownObject | undefined }
  | {
      readonly op: 'putEdge'
      readonly edge: Omit<UntypedEdgeInput, 'time'> & { readonly time?: UntypedEdgeInput['time'] | undefined }
      readonly when?: UnknownObject | undefined
    }
  | {
      readonly op: 'deleteEdge'
      readonly edge: EdgeKey & ListParameters
      readonly when?: UnknownObject | undefined
    }

/** One record of a load: a line of NDJSON, or an item of an iterable. */
export type UntypedLoadRecord = { readonly node: UntypedNodeInput } | { readonly edge: UntypedEdgeInput }

type Conditional = { readonly when: ParsedCondition | undefined }

/** An edge as a mutation names it. */
export type EdgeChoice = EdgeKey & {
  /** The values of parameters, which are not validated yet. */
  readonly parameters: unknown
  /** Whether `name` may be the name of a stored list, as in a dump. */
  readonly mayNameList: boolean
}

/**
 * A mutation with valid ids and times. Its names and values are validated when the types of its nodes are
 * known.
 */
export type ParsedMutation =
  | (Conditional & {
      readonly op: 'putNode'
      readonly id: NodeId
      readonly type: string
      readonly fields: unknown
    })
  | (Conditional & {
      readonly op: 'patchNode'
      readonly id: NodeId
      readonly fields: unknown
      readonly increment: unknown
    })
  | (Conditional & { readonly op: 'deleteNode'; readonly id: NodeId })
  | (Conditional & EdgeChoice & { readonly op: 'putEdge'; readonly time: number; readonly data: unknown })
  | (Conditional & EdgeChoice & { readonly op: 'deleteEdge' })

/** A parsed mutation of one operation. */
export type ParsedMutationOf<TOp extends ParsedMutation['op']> = Extract<ParsedMutation, { readonly op: TOp }>

/** An item of a write or load: its parsed mutation, or its issue if the item is invalid. */
export type ParsedItem = { readonly parsed: ParsedMutation | ValidationIssue }

const NODE_MEMBERS = ['id', 'type', 'fields']
const EDGE_CHOICE_MEMBERS = ['source', 'name', 'target', 'parameters']
const EDGE_MEMBERS = ['source', 'name', 'target', 'time', 'data', 'parameters']
const RECORD_MEMBERS = ['node', 'edge']

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

const parsePutNode = (ids: IdKind, value: unknown, when?: ParsedCondition): ParsedMutation => {
  const { id, type, fields } = requireKnownMembers(value, 'node', NODE_MEMBERS)
  return {
    op: 'putNode',
    id: parseNodeId(ids, id, 'node.id'),
    type: parseName(type, 'a type', 'node.type'),
    fields,
    when,
  }
}

/** Parses the edge of a write, or of a load, which may name a stored list. */
const parsePutEdge = (
  ids: IdKind,
  value: unknown,
  mayNameList: boolean,
  when?: ParsedCondition,
  defaultTime?: number,
): ParsedMutation => {
  const members = requireKnownMembers(value, 'edge', EDGE_MEMBERS)
  const { source, name, target, time = defaultTime, data, parameters } = members
  return {
    op: 'putEdge',
    source: parseNodeId(ids, source, 'edge.source'),
    name: parseName(name, 'an edge', 'edge.name'),
    target: parseNodeId(ids, target, 'edge.target'),
    time: parseEdgeTime(time),
    data,
    parameters,
    mayNameList,
    when,
  }
}

const parsePatchNode = (ids: IdKind, mutation: UnknownObject): ParsedMutation => {
  const members = requireKnownMembers(mutation, '', ['op', 'id', 'fields', 'increment', 'when'])
  const { id, increment, when } = members
  // With an increment, the other fields may be left out.
  const { fields = increment === undefined ? undefined : {} } = members
  if (fields === undefined)
    throw new ValidationIssue(
      'an object that maps names of fields to values, unless there is an increment',
      fields,
      'fields',
    )
  return {
    op: 'patchNode',
    id: parseNodeId(ids, id, 'id'),
    fields,
    increment,
    when: parseCondition(when, 'present'),
  }
}

const parseDeleteEdge = (ids: IdKind, value: unknown, when: ParsedCondition | undefined): ParsedMutation => {
  const { source, name, target, parameters } = requireKnownMembers(value, 'edge', EDGE_CHOICE_MEMBERS)
  return {
    op: 'deleteEdge',
    source: parseNodeId(ids, source, 'edge.source'),
    name: parseName(name, 'an edge', 'edge.name'),
    target: parseNodeId(ids, target, 'edge.target'),
    parameters,
    mayNameList: false,
    when,
  }
}

type ParseMutation = (ids: IdKind, mutation: UnknownObject, now: number) => ParsedMutation

/** Creates the parser of an operation whose member `name` is a node or an edge. */
const createParser = (
  name: 'node' | 'edge',
  kind: ConditionKind,
  parse: (ids: IdKind, value: unknown, when: ParsedCondition | undefined, now: number) => ParsedMutation,
): ParseMutation => {
  const memberNames = ['op', name, 'when']
  return (ids, mutation, now) => {
    const members = requireKnownMembers(mutation, '', memberNames)
    return parse(ids, members[name], parseCondition(members.when, kind), now)
  }
}

const MUTATION_PARSERS: ReadonlyMap<string, ParseMutation> = new Map<string, ParseMutation>([
  ['putNode', createParser('node', 'absent', parsePutNode)],
  ['patchNode', parsePatchNode],
  [
    'deleteNode',
    (ids, mutation) => {
      const { id, when } = requireKnownMembers(mutation, '', ['op', 'id', 'when'])
      return { op: 'deleteNode', id: parseNodeId(ids, id, 'id'), when: parseCondition(when, 'present') }
    },
  ],
  [
    'putEdge',
    createParser('edge', 'any', (ids, value, when, now) => parsePutEdge(ids, value, false, when, now)),
  ],
  ['deleteEdge', createParser('edge', 'present', parseDeleteEdge)],
])

/**
 * Parses one mutation of a write in a graph with a kind of ids. An edge without a time gets `now`.
 *
 * @throws a {@link ValidationIssue}.
 */
export const parseMutation = (ids: IdKind, value: unknown, now: number): ParsedMutation => {
  const mutation = requireObject(value, '', 'an object with "op"')
  const { op } = mutation
  const parse = typeof op === 'string' ? MUTATION_PARSERS.get(op) : undefined
  if (parse === undefined) throw createUnknownNameIssue('op', 'an operation', op, MUTATION_PARSERS.keys())
  return parse(ids, mutation, now)
}

/**
 * Parses one loaded record: `{ node }` or `{ edge }`.
 *
 * @throws a {@link ValidationIssue}.
 */
export const parseLoadRecord = (ids: IdKind, value: unknown): ParsedMutation => {
  const { node, edge } = requireKnownMembers(value, '', RECORD_MEMBERS)
  if (node !== undefined && edge === undefined) return parsePutNode(ids, node)
  if (edge !== undefined && node === undefined) return parsePutEdge(ids, edge, true)
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
