import { describeValue } from '../base/describe.ts'
import { formatIssue } from '../base/usage-error.ts'
import type { EdgeType } from './edge.ts'
import type { NamedEdge } from './edge-lists.ts'
import { withKeyOrders } from './list-order.ts'
import { getOwn, type NodeType } from './node.ts'
import type { Schema, Types } from './schema.ts'

/** Whether a field shows its stored value to everyone. A computed field may show less than is stored. */
const isPublicField = (types: Types, type: string, name: string): boolean => {
  const field = getOwn(getOwn(types, type)?.fields ?? {}, name)
  return (
    field?.kind === 'value' &&
    field.resolve === undefined &&
    field.scope === undefined &&
    field.policy === undefined
  )
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
