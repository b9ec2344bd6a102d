import { isRecord } from '../base/json.ts'

/** Deeper than anyone writes: what is nested without end would exhaust the stack before a check refuses it. */
const DEEPEST = 100

type Copies = Map<object, unknown>

const listCopy = (list: readonly unknown[], depth: number, copies: Copies): unknown => {
  const copy: unknown[] = []
  copies.set(list, copy)
  for (const item of list) copy.push(copyOf(item, depth, copies))
  return copy
}

const recordCopy = (record: object, depth: number, copies: Copies): unknown => {
  // Spread first, so that a member called `__proto__` is one of the copy by the time it is assigned to.
  const copy: { [name: string]: unknown } = { ...record }
  copies.set(record, copy)
  for (const name of Object.keys(copy)) copy[name] = copyOf(copy[name], depth, copies)
  return copy
}

const copyOf = (value: unknown, depth: number, copies: Copies): unknown => {
  if (typeof value !== 'object' || value === null || depth === DEEPEST) return value
  if (value instanceof Date) return new Date(value)
  const known = copies.get(value)
  if (known !== undefined) return known
  if (Array.isArray(value)) return listCopy(value, depth + 1, copies)
  return isRecord(value) ? recordCopy(value, depth + 1, copies) : value
}

/**
 * What a caller wrote, so that whatever becomes of it while a write waits, what is checked is what was given. Plain
 * objects, lists and dates are copied, in circles too; instances of classes are for the types of their fields to know.
 */
export const ownCopy = (value: unknown): unknown => copyOf(value, 0, new Map())
