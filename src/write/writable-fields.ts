import { isIdOfKind } from '../base/ids.ts'
import { joinPath } from '../base/join-path.ts'
import type { JsonValue } from '../base/json.ts'
import { prefixOf } from '../base/named-ids.ts'
import { type Field, isInEveryRecord } from '../schema/field.ts'
import { type FieldType, ValidationIssue } from '../schema/field-type.ts'
import { idPrefixOf } from '../schema/id-prefixes.ts'
import type { Schema } from '../schema/schema.ts'
import { isStoredField } from '../schema/stored-field.ts'
import { createUnknownNameIssue, requireObject } from './input-values.ts'

export type WritableField = {
  /** The type of the values; undefined for a field that is not declared with a type. */
  readonly type: FieldType | undefined
  readonly parse: FieldType['parse']
  /** Whether a record contains the value of this field. Otherwise, the value is computed. */
  readonly isStored: boolean
  /** Whether a write must contain a value. */
  readonly isRequired: boolean
  /** Whether every record has a value, so that a change cannot remove it. */
  readonly isInEveryRecord: boolean
}

/** The fields of a node type or of an edge, with the functions that validate their values. */
export type WritableFields = {
  /** The name of the type or edge that the fields belong to, for errors. */
  readonly ownerName: string
  readonly fields: ReadonlyMap<string, WritableField>
  readonly requiredNames: readonly string[]
}

/** Field values in their stored form. */
type StoredFields = { [name: string]: JsonValue }

const createRejectingParser =
  (reason: string): FieldType['parse'] =>
  value => {
    throw new ValidationIssue(`left out, since ${reason}`, value)
  }

/**
 * Creates the parser of a ref. A named id contains the type of its node, so an id of another type is rejected. The
 * types of other ids are not read.
 */
const createRefParser = ({ ids, types }: Schema, targets: readonly string[]): FieldType['parse'] => {
  const expected = `the id of a node of type ${targets.join(' or ')}`
  const prefixes = new Set(targets.map(target => idPrefixOf(types, target)))
  return value => {
    if (!isIdOfKind(ids, value) || (ids === 'named' && !prefixes.has(prefixOf(value))))
      throw new ValidationIssue(expected, value)
    return value
  }
}

const createParser = (schema: Schema, field: Field): FieldType['parse'] => {
  if (field.kind === 'ref') return createRefParser(schema, field.targets)
  if (field.kind === 'viewerEdge') return createRejectingParser('it depends on the viewer')
  if (field.kind === 'edgeTime') return createRejectingParser('it is the time of the edge')
  const { type, from, resolve } = field
  return from === undefined && resolve === undefined
    ? value => type.parse(value)
    : createRejectingParser('it is computed')
}

/** Creates the writable form of the fields of a node type or of an edge. */
export const createWritableFields = (
  schema: Schema,
  typeOrEdgeName: string,
  fields: { readonly [name: string]: Field },
): WritableFields => {
  const entries = Object.entries(fields).map(([name, field]) => {
    const writable: WritableField = {
      type: field.kind === 'value' ? field.type : undefined,
      parse: createParser(schema, field),
      isStored: isStoredField(field),
      isRequired: field.required,
      isInEveryRecord: isInEveryRecord(field),
    }
    return [name, writable] as const
  })
  return {
    ownerName: typeOrEdgeName,
    fields: new Map(entries),
    requiredNames: entries.filter(([, { isRequired }]) => isRequired).map(([name]) => name),
  }
}

type ParseValue = (field: WritableField, value: unknown) => JsonValue

const parseNewValue: ParseValue = (field, value) => {
  if (value === null && field.isStored) throw new ValidationIssue('a value or left out', value)
  return field.parse(value)
}

const parseChangedValue: ParseValue = (field, value) => {
  if (value !== null || !field.isStored) return field.parse(value)
  if (!field.isInEveryRecord) return null
  const reason = field.isRequired ? 'it is required' : 'every record has one'
  throw new ValidationIssue(`a value, since ${reason}`, value)
}

/**
 * Parses values. Paths are created only for errors, because creating a path takes longer than validating a
 * field.
 */
const parseValues = (
  writableFields: WritableFields,
  values: unknown,
  path: string,
  parseValue: ParseValue,
): StoredFields => {
  const input = requireObject(values, path, 'an object that maps names of fields to values')
  const parsed: StoredFields = {}
  for (const name of Object.keys(input)) {
    const field = writableFields.fields.get(name)
    if (field === undefined) {
      throw createUnknownNameIssue(
        joinPath(path, name),
        `a field of ${writableFields.ownerName}`,
        name,
        writableFields.fields.keys(),
      )
    }
    const value = input[name]
    if (value === undefined) continue
    try {
      parsed[name] = parseValue(field, value)
    } catch (error) {
      throw error instanceof ValidationIssue ? error.withPathPrefix(joinPath(path, name)) : error
    }
  }
  return parsed
}

/**
 * Validates all values of a record.
 *
 * @throws a {@link ValidationIssue} whose path begins with `path`.
 */
export const parseFields = (writableFields: WritableFields, values: unknown, path: string): StoredFields => {
  const parsed = parseValues(writableFields, values, path, parseNewValue)
  for (const name of writableFields.requiredNames) {
    if (parsed[name] === undefined) {
      throw new ValidationIssue('a value, since it is required', undefined, joinPath(path, name))
    }
  }
  return parsed
}

/**
 * Validates changes to a record; null removes a value.
 *
 * @throws a {@link ValidationIssue} whose path begins with `path`.
 */
export const parseChanges = (writableFields: WritableFields, values: unknown, path: string): StoredFields =>
  parseValues(writableFields, values, path, parseChangedValue)
