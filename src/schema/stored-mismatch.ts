import { isPlainObject } from '../base/json.ts'
import { type FieldType, type FieldTypeParts, Mismatch } from './field-type.ts'

/** A part of a stored value: its place in the value, its type and what is stored. */
type Part = readonly [place: string, type: FieldType, stored: unknown]

function* partsOf(parts: FieldTypeParts, stored: unknown): Generator<Part> {
  if ('items' in parts && Array.isArray(stored)) {
    for (const [index, item] of stored.entries()) yield [`[${index}]`, parts.items, item]
  }
  if (!isPlainObject(stored)) return
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

/** Returns what a bad stored value should have been, and where: at the first part of it that is bad. */
export const storedMismatch = (type: FieldType, stored: unknown): Mismatch => {
  if (type.storedAs !== undefined) return new Mismatch(type.storedAs, stored)
  if (type.parts !== undefined) {
    for (const [place, inner, part] of partsOf(type.parts, stored))
      if (!inner.isValid(part)) return storedMismatch(inner, part).inside(place)
  }
  try {
    type.parse(stored)
  } catch (error) {
    if (error instanceof Mismatch) return error
    throw error
  }
  return new Mismatch(`the stored form of ${type.name}`, stored)
}
