import { type CollectionOfType, collectionsOf, ROOT_TYPE } from '../schema/collection.ts'
import type { EdgeType } from '../schema/edge.ts'
import { findMirrorEdge, listNamesOf, type NamedEdge, pairLists } from '../schema/edge-lists.ts'
import { idPrefixOf } from '../schema/id-prefixes.ts'
import type { NodeType } from '../schema/node.ts'
import type { Parameters } from '../schema/parameter.ts'
import type { Schema } from '../schema/schema.ts'
import type { StoredLists } from '../schema/stored-lists.ts'
import type { EntryKey } from '../store/derived-entries.ts'
import { createWritableFields, type WritableFields } from './writable-fields.ts'

/** An edge to one of its target types. */
export type WritableTarget = {
  /** The name of the mirror's list for each list of the edge, or `undefined` if the edge has no mirror. */
  readonly mirrorLists: ReadonlyMap<string, string> | undefined
  /** The further orders of the mirror. */
  readonly mirrorOrders: readonly StoredOrder[]
  /**
   * All fields that the edge or its mirror declares. Both sides store all values. Otherwise, a write to the
   * side that declares fewer fields would delete values of the other side.
   */
  readonly dataFields: WritableFields
}

/** A further order of an edge, whose entries are stored. */
export type StoredOrder = { readonly name: string; readonly by: EntryKey }

/** An edge, with its stored lists and its targets. */
export type WritableEdge = {
  readonly name: string
  readonly parameters: Parameters
  readonly lists: StoredLists | undefined
  /** Whether a function of the schema computes the edge, so that nothing is stored. */
  readonly isComputed: boolean
  readonly orders: readonly StoredOrder[]
  /** The targets by their type. */
  readonly targets: ReadonlyMap<string, WritableTarget>
}

/** A node type, with everything that a write needs. */
export type WritableType = {
  /** The prefix of the named ids of the type, or `undefined` if ids are digits. */
  readonly idPrefix: string | undefined
  readonly fields: WritableFields
  /** The collections that contain the nodes of the type. */
  readonly collections: readonly CollectionOfType[]
  readonly edges: ReadonlyMap<string, WritableEdge>
  /** The edges by the names of their stored lists. */
  readonly edgesByList: ReadonlyMap<string, WritableEdge>
}

/** The writable types of a schema by name. Created once per graph. */
export type WriteSchema = ReadonlyMap<string, WritableType>

const storedOrdersOf = ({ orders }: EdgeType): readonly StoredOrder[] =>
  [...orders.values()].flatMap(({ name, by }) => (by === undefined ? [] : { name, by }))

const createWritableTarget = (schema: Schema, namedEdge: NamedEdge, targetType: string): WritableTarget => {
  const { name, edge } = namedEdge
  const mirror = findMirrorEdge(schema.types, namedEdge, targetType)
  return {
    mirrorLists: mirror && pairLists(namedEdge, mirror),
    mirrorOrders: mirror === undefined ? [] : storedOrdersOf(mirror.edge),
    dataFields: createWritableFields(schema, name, { ...mirror?.edge.fields, ...edge.fields }),
  }
}

const createWritableEdge = (schema: Schema, namedEdge: NamedEdge): WritableEdge => {
  const { name, edge } = namedEdge
  const targets = edge.targets.map(
    targetType => [targetType, createWritableTarget(schema, namedEdge, targetType)] as const,
  )
  return {
    name,
    parameters: edge.parameters,
    lists: edge.lists,
    isComputed: edge.resolve !== undefined,
    orders: storedOrdersOf(edge),
    targets: new Map(targets),
  }
}

/** Creates the writable form of one type of a schema. */
export const createWritableType = (
  schema: Schema,
  typeName: string,
  { fields, edges }: NodeType,
): WritableType => {
  const writableEdges = Object.entries(edges).map(([name, edge]) => {
    const writableEdge = createWritableEdge(schema, { name, edge })
    return { writableEdge, lists: listNamesOf({ name, edge }) }
  })
  return {
    idPrefix: schema.ids === 'named' ? idPrefixOf(schema.types, typeName) : undefined,
    fields: createWritableFields(schema, typeName, fields),
    collections: collectionsOf(schema.types, typeName),
    edges: new Map(writableEdges.map(({ writableEdge }) => [writableEdge.name, writableEdge])),
    edgesByList: new Map(
      writableEdges.flatMap(({ writableEdge, lists }) => lists.map(list => [list, writableEdge])),
    ),
  }
}

/** Creates the write schema. The node of collections is not stored, so its type is not writable. */
export const createWriteSchema = (schema: Schema): WriteSchema =>
  new Map(
    Object.entries(schema.types)
      .filter(([name]) => name !== ROOT_TYPE)
      .map(([name, type]) => [name, createWritableType(schema, name, type)]),
  )

/** Creates the part of a write schema that contains only one type; empty if the schema has no such type. */
export const createSchemaOfType = (schema: Schema, typeName: string | undefined): WriteSchema =>
  new Map(
    Object.entries(schema.types)
      .filter(([name]) => name === typeName)
      .map(([name, type]) => [name, createWritableType(schema, name, type)]),
  )
