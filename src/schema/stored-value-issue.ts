import { isNonArrayObject } from '../base/json.ts'
import { type FieldType, type FieldTypeParts, ValidationIssue } from './field-type.ts'

/** A part of a stored value: its path segment, its type and its stored value. */
type ValuePart = readonly [segment: string, type: FieldType, stored: unknown]

function* iterateParts(parts: FieldTypeParts, stored: unknown): Generator<ValuePart> {
  if ('items' in parts && Array.isArray(stored)) {
    for (const [index, item] of stored.entries()) yield [`[${index}]`, parts.items, item]
  }
  if (!isNonArrayObject(stored)) return
  if ('values' in parts) {
    for (const [name, value] of Object.entries(stored)) yield [`.${name}`, parts.values, value]
  }
  if ('members' in parts) {
    for (const [name, { type, required }] of parts.members) {
      const value = Object.hasOwn(stored, name) ? stored[name] : undefined
      if (required || (value !== undefined && value !== null)) yield [`.${name}`, type, value]
    }
  }
}

/** Returns the issue of the first bad part of a bad stored value. */
export const findStoredValueIssue = (type: FieldType, stored: unknown): ValidationIssue => {
  if (type.storedAs !== undefined) return new ValidationIssue(type.storedAs, stored)
  if (type.parts !== undefined) {
    for (const [segment, partType, storedPart] of iterateParts(type.parts, stored))
      if (!partType.isValid(storedPart))
        return findStoredValueIssue(partType, storedPart).withPathPrefix(segment)
  }
  try {
    type.parse(stored)
  } catch (error) {
    if (error instanceof ValidationIssue) return error
    throw error
  }
  return new ValidationIssue(`the stored form of ${type.name}`, stored)
}
