import type { FieldItem } from '../fields/expression.ts'

/** An item without modifiers or anything below it. */
export const plainItem = (name: string): FieldItem => ({
  name,
  key: name,
  modifiers: [],
  fields: undefined,
})
