import type { FieldOptions, RefField, StoredFieldOptions, ValueField } from '../../schema/field.ts'
import { field } from '../../schema/field-builders.ts'
import type { ColumnFieldOptions, RefDeclaration } from '../declare/fields.ts'
import type { ColumnDescription } from '../description/database-description.ts'
import type { FieldMapping, ValueForm } from '../model/table-model.ts'
import type { ColumnType } from './column-types.ts'

type BuilderOptions = FieldOptions & StoredFieldOptions

const BUILDERS: { readonly [F in ValueForm]: (options: BuilderOptions) => ValueField } = {
  string: options => field.string(options),
  numericString: options => field.numericString(options),
  int: options => field.int(options),
  float: options => field.float(options),
  bool: options => field.bool(options),
  datetime: options => field.datetime(options),
  date: options => field.date(options),
  json: options => field.json(options),
}

/** Whether a new row must have a value in each column, and whether each row has one. */
const requirementsOf = (columns: readonly ColumnDescription[]): BuilderOptions =>
  columns.some(({ nullable }) => nullable)
    ? {}
    : columns.some(column => column.default)
      ? { present: true }
      : { required: true }

/** Creates the field of a schema for a column. */
export const createColumnField = (
  column: ColumnDescription,
  { form }: ColumnType,
  { column: _, as, weight, ...options }: ColumnFieldOptions,
): ValueField => {
  const { labels } = column
  const build = (buildOptions: BuilderOptions): ValueField =>
    labels === undefined || as === 'text' ? BUILDERS[form](buildOptions) : field.enum(labels, buildOptions)
  const allOptions = { ...options, ...requirementsOf([column]) }
  if (column.array) return field.list(build({}), { ...allOptions, weight })
  // Only lists and JSON have a weight. The builders of other fields throw an error that says so.
  return build(weight === undefined ? allOptions : Object.assign(allOptions, { weight }))
}

/** Returns the type of the values of a field over a column. The labels of an enum are texts that the database checks. */
export const valueTypeOf = ({
  column,
  form,
}: Extract<FieldMapping, { kind: 'value' }>): ValueField['type'] => {
  const item = BUILDERS[form]({})
  return column.isArray ? field.list(item).type : item.type
}

/** Creates the field of a schema for a ref. */
export const createRefField = (
  { target, options }: RefDeclaration,
  columns: readonly ColumnDescription[],
): RefField => field.ref(target, { ...options, ...requirementsOf(columns) })

/** Creates a field for a declaration with errors, so that a policy that names it is not a further error. */
export const createUnknownField = (): ValueField => field.json()
