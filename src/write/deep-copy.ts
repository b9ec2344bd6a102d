import { isPlainObject } from '../base/json.ts'

/**
 * A depth that no valid value reaches. Endless nesting would exhaust the stack before validation rejects it.
 */
const MAX_DEPTH = 100

type CopiesByOriginal = Map<object, unknown>

const copyList = (list: readonly unknown[], depth: number, copies: CopiesByOriginal): unknown => {
  const copy: unknown[] = []
  copies.set(list, copy)
  for (const item of list) copy.push(copyValue(item, depth, copies))
  return copy
}

const copyObject = (record: object, depth: number, copies: CopiesByOriginal): unknown => {
  // Spread first, so that a member called `__proto__` is an own member before it is assigned.
  const copy: { [name: string]: unknown } = { ...record }
  copies.set(record, copy)
  for (const name of Object.keys(copy)) copy[name] = copyValue(copy[name], depth, copies)
  return copy
}

const copyValue = (value: unknown, depth: number, copies: CopiesByOriginal): unknown => {
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return value
  if (value instanceof Date) return new Date(value)
  const existingCopy = copies.get(value)
  if (existingCopy !== undefined) return existingCopy
  if (Array.isArray(value)) return copyList(value, depth + 1, copies)
  return isPlainObject(value) ? copyObject(value, depth + 1, copies) : value
}

/**
 * Copies a caller's value, so that later changes to it do not affect a pending write. Copies plain objects,
 * lists and dates, including cycles; instances of classes are left to their field types.
 */
export const deepCopy = (value: unknown): unknown => copyValue(value, 0, new Map())
