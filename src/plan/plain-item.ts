import type { FieldItem } from '../fields/expression.ts'

/** Creates an item without modifiers and without fields. */
export const createPlainItem = (name: string): FieldItem => ({
  name,
  key: name,
  modifiers: [],
  fields: undefined,
})
