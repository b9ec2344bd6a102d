import type { IdKind } from '../base/ids.ts'
import { isNonArrayObject, type JsonValue } from '../base/json.ts'
import { findEdgeOfList, findMirrorEdge, type NamedEdge } from '../schema/edge-lists.ts'
import { type Field, isInEveryRecord } from '../schema/field.ts'
import { isBadValue } from '../schema/field-type.ts'
import { getOwn } from '../schema/node.ts'
import { refTypeOf } from '../schema/ref-type.ts'
import type { Schema } from '../schema/schema.ts'
import { isStoredField } from '../schema/stored-field.ts'
import type { NodeRecord } from '../store/contract.ts'
import type { InspectedEdge } from '../store/inspection.ts'

/** A contradiction between a record and the schema. It has names only, so that many records share it. */
export type SchemaError = {
  readonly kind: 'unknownType' | 'unknownField' | 'unknownEdge' | 'wrongTarget' | 'missingValue' | 'badValue'
  readonly type: string
  /** The name of the field or stored list, or of both for a field of an edge. Empty for a type. */
  readonly path: readonly string[]
}

type Fields = { readonly [name: string]: Field }

const isBad = (ids: IdKind, field: Field, stored: JsonValue): boolean =>
  isBadValue(field.kind === 'value' ? field.type : refTypeOf(ids), stored)

const findFieldError = (
  ids: IdKind,
  field: Field | undefined,
  stored: JsonValue | undefined,
): SchemaError['kind'] | undefined => {
  if (field === undefined || !isStoredField(field)) return stored === undefined ? undefined : 'unknownField'
  if (stored === undefined || stored === null) return isInEveryRecord(field) ? 'missingValue' : undefined
  return isBad(ids, field, stored) ? 'badValue' : undefined
}

const findFieldErrors = (
  ids: IdKind,
  type: string,
  path: readonly string[],
  fields: Fields,
  values: { readonly [name: string]: JsonValue },
): readonly SchemaError[] => {
  const names = new Set([...Object.keys(fields), ...Object.keys(values)])
  return [...names].flatMap(name => {
    const kind = findFieldError(ids, getOwn(fields, name), getOwn(values, name))
    return kind === undefined ? [] : [{ kind, type, path: [...path, name] }]
  })
}

/** Returns the contradictions between a node and the schema. */
export const findNodeErrors = (
  { types, ids }: Schema,
  { type, fields }: NodeRecord,
): readonly SchemaError[] => {
  const declaration = getOwn(types, type)
  if (declaration === undefined) return [{ kind: 'unknownType', type, path: [] }]
  return findFieldErrors(ids, type, [], declaration.fields, fields)
}

/** Returns the fields that both sides of an edge declare: each side stores all of them. */
const dataFieldsOf = ({ types }: Schema, namedEdge: NamedEdge, targetType: string): Fields => ({
  ...findMirrorEdge(types, namedEdge, targetType)?.edge.fields,
  ...namedEdge.edge.fields,
})

/**
 * Returns the contradictions between an edge and the schema. Returns none if the type of an end is unknown,
 * because that is an error of the node.
 */
export const findEdgeErrors = (schema: Schema, edge: InspectedEdge): readonly SchemaError[] => {
  const { name, sourceType, targetType, data } = edge
  const source = sourceType === undefined ? undefined : getOwn(schema.types, sourceType)
  if (sourceType === undefined || targetType === undefined || source === undefined) return []
  const namedEdge = findEdgeOfList(source, name)
  if (namedEdge === undefined) return [{ kind: 'unknownEdge', type: sourceType, path: [name] }]
  if (!namedEdge.edge.targets.includes(targetType)) {
    const isKnown = getOwn(schema.types, targetType) !== undefined
    return isKnown ? [{ kind: 'wrongTarget', type: sourceType, path: [name] }] : []
  }
  const fields = dataFieldsOf(schema, namedEdge, targetType)
  return findFieldErrors(schema.ids, sourceType, [name], fields, isNonArrayObject(data) ? data : {})
}
