import { describeValue } from '../base/describe.ts'
import { isNonArrayObject } from '../base/json.ts'
import { assertOptionKinds } from '../base/options.ts'
import { formatIssue, usageError } from '../base/usage-error.ts'
import type { EdgeType } from './edge.ts'
import type { NamedEdge } from './edge-lists.ts'
import { withKeyOrders } from './list-order.ts'
import { getOwn, type NodeType } from './node.ts'
import type { Schema, Types } from './schema.ts'

/**
 * What the store's positions in the lists of an edge hold as their `key`.
 */
export type PositionKey = {
  /**
   * `time`: times that are finer than milliseconds. `text`: any other values, so that `since` and `until` are
   * errors.
   */
  readonly kind: 'time' | 'text'
  /**
   * The field of the targets that shows the value. If it has no scope and no policy on every type of the targets,
   * the cursors are not encrypted. Default: no field shows the value, and the cursors are encrypted.
   */
  readonly field?: string | undefined
}

const KINDS: readonly unknown[] = ['time', 'text']

/**
 * Reads the option `positionKey` of an edge.
 *
 * @throws TypeError for an unknown kind or member.
 */
export const toPositionKey = (value: unknown): PositionKey | undefined => {
  if (value === undefined) return undefined
  if (!isNonArrayObject(value))
    throw usageError('edge', 'positionKey', 'an object with "kind"', describeValue(value))
  assertOptionKinds('edge', value, { kind: 'text', field: 'text' }, 'positionKey')
  const { kind, field } = value
  if (!KINDS.includes(kind))
    throw usageError('edge', 'positionKey.kind', '"time" or "text"', describeValue(kind))
  return Object.freeze({
    kind: kind === 'time' ? kind : 'text',
    field: typeof field === 'string' ? field : undefined,
  })
}

const isPublicField = (types: Types, type: string, name: string): boolean => {
  const field = getOwn(getOwn(types, type)?.fields ?? {}, name)
  return field?.kind === 'value' && field.scope === undefined && field.policy === undefined
}

/** Whether the keys of an edge's positions must not be visible in its cursors. */
const areKeysSecret = (types: Types, { targets, positionKey }: EdgeType): boolean => {
  const field = positionKey?.field
  return field === undefined || !targets.every(type => isPublicField(types, type, field))
}

const withKeys = (types: Types, type: NodeType): NodeType => {
  const edges = Object.entries(type.edges)
  if (edges.every(([, { positionKey }]) => positionKey === undefined)) return type
  return Object.freeze({
    ...type,
    edges: Object.freeze(
      Object.fromEntries(
        edges.map(([name, edge]) => [
          name,
          edge.positionKey === undefined
            ? edge
            : Object.freeze({
                ...edge,
                orders: withKeyOrders(edge.orders, edge.positionKey, areKeysSecret(types, edge)),
              }),
        ]),
      ),
    ),
  })
}

/** Sets the orders of the edges with `positionKey`. Whether their cursors are encrypted depends on the targets. */
export const withPositionKeys = (types: Types): Types =>
  Object.fromEntries(Object.entries(types).map(([name, type]) => [name, withKeys(types, type)]))

/** Returns an error if an edge names a field for its keys that none of its targets has. */
export const findPositionKeyErrors = (
  { types }: Schema,
  typeName: string,
  { name, edge: { targets, positionKey } }: NamedEdge,
): readonly string[] => {
  const field = positionKey?.field
  if (field === undefined || targets.some(type => getOwn(getOwn(types, type)?.fields ?? {}, field))) return []
  const expected = 'a field of a target'
  return [formatIssue(`${typeName}.${name}`, '"positionKey.field"', expected, describeValue(field))]
}
