import type { EdgeType } from '../schema/edge.ts'
import type { NodeType } from '../schema/node.ts'
import type { Schema } from '../schema/schema.ts'
import { type WritableFields, writableFields } from './writable-fields.ts'

/** What holds between a source of one type and a target of one type. */
export type Connection = {
  /** The edge that is kept the other way round, if any. */
  readonly mirror: string | undefined
  /**
   * What the edge and its mirror declare, together: they are one connection, and either holds all of its data.
   * Else writing it from the side that declares less would lose what the other side declares.
   */
  readonly data: WritableFields
}

/** An edge as a write sees it: by the types that it may lead to. */
export type WritableEdge = ReadonlyMap<string, Connection>

/** A type as a write sees it. */
export type WritableType = {
  readonly fields: WritableFields
  readonly edges: ReadonlyMap<string, WritableEdge>
}

/** The types of a schema by name, with all that a write looks up resolved: made once for each graph. */
export type WriteSchema = ReadonlyMap<string, WritableType>

const connection = (schema: Schema, name: string, edge: EdgeType, target: string): Connection => {
  const mirror = edge.symmetric ? name : edge.inverse
  const declared = mirror === undefined ? undefined : schema.types[target]?.edges[mirror]?.fields
  return { mirror, data: writableFields(name, { ...declared, ...edge.fields }) }
}

const writableType = (schema: Schema, typeName: string, { fields, edges }: NodeType): WritableType => ({
  fields: writableFields(typeName, fields),
  edges: new Map(
    Object.entries(edges).map(([name, edge]) => [
      name,
      new Map(edge.targets.map(target => [target, connection(schema, name, edge, target)])),
    ]),
  ),
})

export const writeSchema = (schema: Schema): WriteSchema =>
  new Map(Object.entries(schema.types).map(([name, type]) => [name, writableType(schema, name, type)]))
