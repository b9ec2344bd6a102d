import { describeValue } from '../base/describe.ts'
import { formatIssue } from '../base/usage-error.ts'
import { findKnownTypes } from './check-targets.ts'
import { ROOT_TYPE } from './collection.ts'
import { findMirrorEdge, type NamedEdge } from './edge-lists.ts'
import { findPositionKeyErrors } from './key-orders.ts'
import { findEntryKey } from './list-order.ts'
import { getOwn } from './node.ts'
import type { Schema } from './schema.ts'

/**
 * Returns an error for each field that orders the lists of an edge and that its mirror declares in another way.
 * Both sides store the same values, so the lists would not contain the edges that are written to the mirror.
 */
const findMirrorKeyErrors = (schema: Schema, location: string, namedEdge: NamedEdge): string[] =>
  [...namedEdge.edge.orders.values()].flatMap(({ name: order, by }) => {
    if (by === undefined) return []
    return findKnownTypes(schema, namedEdge.edge.targets).flatMap(([target]) => {
      const mirror = findMirrorEdge(schema.types, namedEdge, target)
      const field = mirror && getOwn(mirror.edge.fields, by.field)
      if (mirror === undefined || field === undefined) return []
      if (findEntryKey(by.field, { ...field, scope: undefined })?.factor === by.factor) return []
      return [
        formatIssue(
          location,
          `"orders.${order}.by"`,
          `a field that ${target}.${mirror.name} declares in the same way, or not at all`,
          describeValue(by.field),
        ),
      ]
    })
  })

/** Returns the errors of the orders of an edge, and of a collection among the edges of a type. */
export const findOrderErrors = (
  schema: Schema,
  typeName: string,
  namedEdge: NamedEdge,
): readonly string[] => {
  const location = `${typeName}.${namedEdge.name}`
  const isMisplaced = typeName !== ROOT_TYPE && namedEdge.edge.collection !== undefined
  return [
    ...(isMisplaced
      ? [formatIssue(location, 'an edge of a type', 'an edge that edge() returns', 'a collection')]
      : []),
    ...findMirrorKeyErrors(schema, location, namedEdge),
    ...findPositionKeyErrors(schema, typeName, namedEdge),
  ]
}
