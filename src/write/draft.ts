import { toTime } from '../base/dates.ts'
import { isNodeId, type NodeId } from '../base/ids.ts'
import { Mismatch } from '../schema/field-type.ts'
import type { EdgeTest } from '../store/contract.ts'
import { type Members, membersOf, recordOf, unknownName } from './members.ts'

/** A mutation whose ids and times are good; its names and values wait for the types of the nodes it is about. */
export type Draft =
  | { readonly op: 'putNode'; readonly id: NodeId; readonly type: string; readonly fields: unknown }
  | { readonly op: 'patchNode'; readonly id: NodeId; readonly fields: unknown }
  | { readonly op: 'deleteNode'; readonly id: NodeId }
  | (EdgeTest & { readonly op: 'putEdge'; readonly time: number; readonly data: unknown })
  | (EdgeTest & { readonly op: 'deleteEdge' })

/** A draft of one operation. */
export type DraftOf<TOp extends Draft['op']> = Extract<Draft, { readonly op: TOp }>

/** Whatever a draft was read from, with the draft, or why there is none. */
export type Drafted = { readonly draft: Draft | Mismatch }

const NODE = ['id', 'type', 'fields']
const EDGE = ['source', 'name', 'target', 'time', 'data']
const RECORD = ['node', 'edge']
const EDGE_KEY: readonly (keyof EdgeTest)[] = ['source', 'name', 'target']

const idOf = (value: unknown, path: string): NodeId => {
  if (!isNodeId(value))
    throw new Mismatch('a node id: text of digits, "1" to "9223372036854775807"', value, path)
  return value
}

const nameOf = (value: unknown, what: string, path: string): string => {
  if (typeof value !== 'string') throw new Mismatch(`the name of ${what}`, value, path)
  return value
}

const timeOf = (value: unknown): number => {
  const time = toTime(value)
  if (time === undefined) {
    throw new Mismatch('integer milliseconds, a Date or an ISO 8601 date', value, 'edge.time')
  }
  return time
}

const putNode = (value: unknown): Draft => {
  const { id, type, fields } = membersOf(value, 'node', NODE)
  return { op: 'putNode', id: idOf(id, 'node.id'), type: nameOf(type, 'a type', 'node.type'), fields }
}

const putEdge = (value: unknown, defaultTime?: number): Draft => {
  const { source, name, target, time = defaultTime, data } = membersOf(value, 'edge', EDGE)
  return {
    op: 'putEdge',
    source: idOf(source, 'edge.source'),
    name: nameOf(name, 'an edge', 'edge.name'),
    target: idOf(target, 'edge.target'),
    time: timeOf(time),
    data,
  }
}

const deleteEdge = (value: unknown): Draft => {
  const { source, name, target } = membersOf(value, 'edge', EDGE_KEY)
  return {
    op: 'deleteEdge',
    source: idOf(source, 'edge.source'),
    name: nameOf(name, 'an edge', 'edge.name'),
    target: idOf(target, 'edge.target'),
  }
}

type ReadMutation = (mutation: Members, now: number) => Draft

const READERS: ReadonlyMap<string, ReadMutation> = new Map<string, ReadMutation>([
  ['putNode', mutation => putNode(membersOf(mutation, '', ['op', 'node']).node)],
  [
    'patchNode',
    mutation => {
      const { id, fields } = membersOf(mutation, '', ['op', 'id', 'fields'])
      return { op: 'patchNode', id: idOf(id, 'id'), fields }
    },
  ],
  [
    'deleteNode',
    mutation => ({ op: 'deleteNode', id: idOf(membersOf(mutation, '', ['op', 'id']).id, 'id') }),
  ],
  ['putEdge', (mutation, now) => putEdge(membersOf(mutation, '', ['op', 'edge']).edge, now)],
  ['deleteEdge', mutation => deleteEdge(membersOf(mutation, '', ['op', 'edge']).edge)],
])

/** Reads one mutation of a write; an edge without a time gets `now`. @throws a {@link Mismatch}. */
export const draftOfMutation = (value: unknown, now: number): Draft => {
  const mutation = recordOf(value, '', 'an object with op and what it is about')
  const { op } = mutation
  const read = typeof op === 'string' ? READERS.get(op) : undefined
  if (read === undefined) throw unknownName('op', 'an operation', op, READERS.keys())
  return read(mutation, now)
}

/** Reads one loaded record: `{ node }` or `{ edge }`. @throws a {@link Mismatch}. */
export const draftOfRecord = (value: unknown): Draft => {
  const { node, edge } = membersOf(value, '', RECORD)
  if (node !== undefined && edge === undefined) return putNode(node)
  if (edge !== undefined && node === undefined) return putEdge(edge)
  throw new Mismatch('an object with node or edge, and not both', value)
}

/** What `read` answers, or the mismatch that it throws. */
export const readDraft = (read: () => Draft): Draft | Mismatch => {
  try {
    return read()
  } catch (error) {
    if (error instanceof Mismatch) return error
    throw error
  }
}
