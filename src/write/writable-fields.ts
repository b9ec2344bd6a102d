import { isNodeId } from '../base/ids.ts'
import type { JsonValue } from '../base/json.ts'
import type { Field } from '../schema/field.ts'
import { type FieldType, Mismatch } from '../schema/field-type.ts'
import { pathOf, recordOf, unknownName } from './members.ts'

type WritableField = {
  readonly parse: FieldType['parse']
  /** Whether records hold a value of it at all. */
  readonly stored: boolean
  readonly required: boolean
}

/** The fields of a node type, or of an edge itself, as a write sees them: made once for each schema. */
export type WritableFields = {
  /** Whose fields they are, for faults. */
  readonly owner: string
  readonly fields: ReadonlyMap<string, WritableField>
  readonly required: readonly string[]
}

/** Field values in the form that stores keep. */
export type StoredFields = { [name: string]: JsonValue }

const leftOut =
  (why: string): FieldType['parse'] =>
  value => {
    throw new Mismatch(`left out, since ${why}`, value)
  }

const parseRef =
  (targets: readonly string[]): FieldType['parse'] =>
  value => {
    if (!isNodeId(value)) throw new Mismatch(`the id of a ${targets.join(' or ')}`, value)
    return value
  }

const parserOf = (field: Field): FieldType['parse'] => {
  if (field.kind === 'ref') return parseRef(field.targets)
  if (field.kind === 'viewerEdge') return leftOut('it depends on who looks')
  if (field.kind === 'edgeTime') return leftOut('it is the time of the edge')
  const { type, from, resolve } = field
  return from === undefined && resolve === undefined ? value => type.parse(value) : leftOut('it is computed')
}

const isStored = (field: Field): boolean =>
  field.kind === 'ref' || (field.kind === 'value' && field.from === undefined && field.resolve === undefined)

export const writableFields = (owner: string, fields: { readonly [name: string]: Field }): WritableFields => {
  const entries = Object.entries(fields).map(([name, field]) => {
    const { required } = field
    return [name, { parse: parserOf(field), stored: isStored(field), required }] as const
  })
  return {
    owner,
    fields: new Map(entries),
    required: entries.filter(([, { required }]) => required).map(([name]) => name),
  }
}

type ParseValue = (field: WritableField, value: unknown) => JsonValue

const parseGiven: ParseValue = (field, value) => {
  if (value === null && field.stored) throw new Mismatch('a value, or left out', value)
  return field.parse(value)
}

const parseChange: ParseValue = (field, value) => {
  if (value !== null || !field.stored) return field.parse(value)
  if (field.required) throw new Mismatch('a value, since it is required', value)
  return null
}

/** Paths are made only where something is wrong: making one costs more than checking a field. */
const parseEach = (
  writable: WritableFields,
  values: unknown,
  place: string,
  parseValue: ParseValue,
): StoredFields => {
  const given = recordOf(values, place, 'an object with values by name')
  const parsed: StoredFields = {}
  for (const name of Object.keys(given)) {
    const field = writable.fields.get(name)
    if (field === undefined) {
      throw unknownName(pathOf(place, name), `a field of ${writable.owner}`, name, writable.fields.keys())
    }
    const value = given[name]
    if (value === undefined) continue
    try {
      parsed[name] = parseValue(field, value)
    } catch (error) {
      throw error instanceof Mismatch ? error.inside(pathOf(place, name)) : error
    }
  }
  return parsed
}

/** Checks all values of a record. @throws a {@link Mismatch} with its path, which begins with `place`. */
export const parseFields = (writable: WritableFields, values: unknown, place: string): StoredFields => {
  const parsed = parseEach(writable, values, place, parseGiven)
  for (const name of writable.required) {
    if (parsed[name] === undefined) {
      throw new Mismatch('a value, since it is required', undefined, pathOf(place, name))
    }
  }
  return parsed
}

/** Checks changes to a record, where null removes a value. @throws a {@link Mismatch} with its path. */
export const parseChanges = (writable: WritableFields, values: unknown, place: string): StoredFields =>
  parseEach(writable, values, place, parseChange)
