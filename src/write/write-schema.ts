import type { EdgeType } from '../schema/edge.ts'
import type { NodeType } from '../schema/node.ts'
import type { Schema } from '../schema/schema.ts'
import { createWritableFields, type WritableFields } from './writable-fields.ts'

/** The connection that an edge makes between a source type and one of its target types. */
export type WritableTarget = {
  /** The name of the mirrored edge, if any. */
  readonly mirrorName: string | undefined
  /**
   * The fields that the edge and its mirror declare together: they are one connection, and both sides store
   * all of its data. Otherwise a write from the side that declares fewer fields would lose those of the
   * other.
   */
  readonly dataFields: WritableFields
}

/** The connections of one edge, by target type. */
export type WritableEdge = ReadonlyMap<string, WritableTarget>

/** A type for writes. */
export type WritableType = {
  readonly fields: WritableFields
  readonly edges: ReadonlyMap<string, WritableEdge>
}

/** The types of a schema by name, with everything that a write needs. Created once per graph. */
export type WriteSchema = ReadonlyMap<string, WritableType>

const createWritableTarget = (
  schema: Schema,
  edgeName: string,
  edge: EdgeType,
  targetType: string,
): WritableTarget => {
  const mirror = edge.symmetric ? edgeName : edge.inverse
  const mirrorFields = mirror === undefined ? undefined : schema.types[targetType]?.edges[mirror]?.fields
  return {
    mirrorName: mirror,
    dataFields: createWritableFields(edgeName, { ...mirrorFields, ...edge.fields }),
  }
}

const createWritableType = (schema: Schema, typeName: string, { fields, edges }: NodeType): WritableType => ({
  fields: createWritableFields(typeName, fields),
  edges: new Map(
    Object.entries(edges).map(([name, edge]) => [
      name,
      new Map(
        edge.targets.map(targetType => [targetType, createWritableTarget(schema, name, edge, targetType)]),
      ),
    ]),
  ),
})

export const createWriteSchema = (schema: Schema): WriteSchema =>
  new Map(Object.entries(schema.types).map(([name, type]) => [name, createWritableType(schema, name, type)]))
