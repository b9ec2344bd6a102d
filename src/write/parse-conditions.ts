import { joinPath } from '../base/join-path.ts'
import type { JsonValue } from '../base/json.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import { floatType, intType } from '../schema/scalar-types.ts'
import type { Increment, WriteCondition } from '../store/conditional.ts'
import { createUnknownNameIssue, requireKnownMembers, requireObject } from './input-values.ts'
import type { WritableField, WritableFields } from './writable-fields.ts'

/** A condition as the caller passes it. The values of its fields are not validated yet. */
export type ParsedCondition = { readonly exists: boolean } | { readonly fields: unknown }

/** The conditions that an operation supports. */
export type ConditionKind = 'absent' | 'present' | 'any'

const EXPECTED_CONDITIONS: { readonly [kind in ConditionKind]: string } = {
  absent: '{ exists: false }',
  present: '{ exists: true } or { fields }',
  any: '{ exists: false }, { exists: true } or { fields }',
}

/**
 * Parses the condition of a mutation.
 *
 * @throws a {@link ValidationIssue}.
 */
export const parseCondition = (value: unknown, kind: ConditionKind): ParsedCondition | undefined => {
  if (value === undefined) return undefined
  const { exists, fields } = requireKnownMembers(value, 'when', ['exists', 'fields'])
  const isExistence = typeof exists === 'boolean' && fields === undefined
  if (isExistence && (kind === 'any' || exists === (kind === 'present'))) return { exists }
  if (kind !== 'absent' && exists === undefined && fields !== undefined) return { fields }
  if (isExistence) throw new ValidationIssue(`${!exists} for this operation`, exists, 'when.exists')
  throw new ValidationIssue(EXPECTED_CONDITIONS[kind], value, 'when')
}

const requireStoredField = (
  { fields, ownerName }: WritableFields,
  name: string,
  path: string,
): WritableField => {
  const field = fields.get(name)
  if (field === undefined)
    throw createUnknownNameIssue(joinPath(path, name), `a field of ${ownerName}`, name, fields.keys())
  if (!field.isStored)
    throw new ValidationIssue(
      'a stored field, since a computed one has no value in the store',
      name,
      joinPath(path, name),
    )
  return field
}

const parseExpectedValue = (field: WritableField, value: unknown, path: string): JsonValue => {
  // A condition that is left out by mistake would always hold.
  if (value === undefined) throw new ValidationIssue('a value, or null for an absent one', value, path)
  try {
    return value === null ? null : field.parse(value)
  } catch (error) {
    throw error instanceof ValidationIssue ? error.withPathPrefix(path) : error
  }
}

/**
 * Validates the values of a condition.
 *
 * @throws a {@link ValidationIssue}.
 */
export const validateCondition = (
  writableFields: WritableFields,
  condition: ParsedCondition | undefined,
): WriteCondition | undefined => {
  if (condition === undefined || 'exists' in condition) return condition
  const values = requireObject(
    condition.fields,
    'when.fields',
    'an object that maps names of fields to values',
  )
  const entries = Object.keys(values).map(name => {
    const field = requireStoredField(writableFields, name, 'when.fields')
    return [name, parseExpectedValue(field, values[name], joinPath('when.fields', name))] as const
  })
  return { fields: Object.fromEntries(entries) }
}

const LIMITS: ReadonlyMap<WritableField['type'], Omit<Increment, 'by'>> = new Map([
  [intType, { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER, isInteger: true }],
  [floatType, { min: -Number.MAX_VALUE, max: Number.MAX_VALUE, isInteger: false }],
])

const parseIncrement = (field: WritableField, value: unknown, path: string): number => {
  if (typeof value !== 'number') throw new ValidationIssue('a number', value, path)
  parseExpectedValue(field, value, path)
  return value
}

/**
 * Validates the increments of a `patchNode`. `changedNames` are the names of the fields that it also changes.
 *
 * @throws a {@link ValidationIssue}.
 */
export const validateIncrements = (
  writableFields: WritableFields,
  increments: unknown,
  changedNames: readonly string[],
): { readonly [name: string]: Increment } | undefined => {
  if (increments === undefined) return undefined
  const values = requireObject(increments, 'increment', 'an object that maps names of fields to numbers')
  const entries = Object.keys(values).map(name => {
    const path = joinPath('increment', name)
    const field = requireStoredField(writableFields, name, 'increment')
    const limits = LIMITS.get(field.type)
    if (limits === undefined) {
      const type = field.type?.name ?? 'ref'
      throw new ValidationIssue(`a field of the type int or float (not ${type})`, name, path)
    }
    if (changedNames.includes(name))
      throw new ValidationIssue('a field that the mutation does not change otherwise', name, path)
    return [name, { by: parseIncrement(field, values[name], path), ...limits }] as const
  })
  return Object.fromEntries(entries)
}
