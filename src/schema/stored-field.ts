import type { Field } from './field.ts'

/** Whether a record contains the value of a field. Other values are computed. */
export const isStoredField = (field: Field): boolean =>
  field.kind === 'ref' || (field.kind === 'value' && field.from === undefined && field.resolve === undefined)
