import { describeValue } from '../../base/describe.ts'
import { type Field, isField, type ValueField } from '../../schema/field.ts'
import type { ColumnFieldDeclaration, ColumnFieldOptions, RefDeclaration } from '../declare/fields.ts'
import type { FieldMapping } from '../model/table-model.ts'
import { assertColumnField, isRefDeclaration } from './check-declarations.ts'
import { findColumnType, isColumnType } from './column-types.ts'
import type { CompileContext, CompiledType } from './compile-context.ts'
import { createColumnField, createRefField, createUnknownField } from './create-field.ts'
import type { DescribedTable } from './described-table.ts'
import { matchKey } from './match-key.ts'

/** A field of the schema, and how it is stored. A computed field is not stored. */
export type CompiledField<TField extends Field = Field> = {
  readonly name: string
  readonly field: TField
  readonly mapping: FieldMapping | undefined
}

/** Compiles a field over a column. The name is the one that the declaration has. */
export const compileColumnField = (
  context: CompileContext,
  location: string,
  table: DescribedTable,
  writtenName: string,
  declaration: ColumnFieldDeclaration,
): CompiledField<ValueField> => {
  const { issues } = context
  const name = table.toFieldName(writtenName)
  const unknownField = { name, field: createUnknownField(), mapping: undefined }
  if (!issues.assert(() => assertColumnField(location, declaration))) return unknownField
  const options: ColumnFieldOptions = declaration === true ? {} : declaration
  const { column: columnName = writtenName, as } = options
  const column = context.findColumn(location, '"column"', table, columnName)
  if (column === undefined) return unknownField
  const type = findColumnType(table.dialect, column.description, as)
  if (!isColumnType(type)) {
    issues.add(location, '"as"', type.expected, typeof as === 'object' ? 'json()' : describeValue(as))
    return unknownField
  }
  const field = issues.attempt(() => createColumnField(column.description, type, options), location)
  if (field === undefined) return unknownField
  return {
    name,
    field,
    mapping: { kind: 'value', name, column: table.toColumn(column, type), form: type.form },
  }
}

const compileRef = (
  context: CompileContext,
  location: string,
  table: DescribedTable,
  name: string,
  declaration: RefDeclaration,
): CompiledField => {
  const { target, columns: names } = declaration
  // The schema reports a target that is not a type.
  const owner = context.types.get(target)
  const columns = context.findColumns(location, 'the column', table, names)
  const field = context.issues.attempt(
    () =>
      createRefField(
        declaration,
        (columns ?? []).map(({ description }) => description),
      ),
    location,
  )
  if (owner === undefined || columns === undefined || field === undefined)
    return { name, field: field ?? createUnknownField(), mapping: undefined }
  const keyColumns = matchKey(context, { location, table, columns, owner })
  const mapping = keyColumns && ({ kind: 'ref', name, columns: keyColumns, target: owner.mapping } as const)
  return { name, field, mapping }
}

/** Adds an error for each field whose name in the graph is that of a field before it. */
export const checkFieldNames = (
  { issues }: CompileContext,
  location: string,
  names: readonly string[],
): void => {
  for (const name of new Set(names.filter((name, index) => names.indexOf(name) < index)))
    issues.add(location, 'the names of fields', 'different', `two fields with the name ${name}`)
}

const isComputed = (field: Field): boolean =>
  field.kind === 'viewerEdge' || (field.kind === 'value' && field.resolve !== undefined)

/** Compiles the fields of a type. */
export const compileFields = (
  context: CompileContext,
  { declaration, table, mapping, members }: CompiledType,
): void => {
  const entries = Object.entries(declaration.fields)
  checkFieldNames(
    context,
    mapping.name,
    entries.map(([name]) => table.toFieldName(name)),
  )
  for (const [writtenName, declared] of entries) {
    const location = `${mapping.name}.${writtenName}`
    const name = table.toFieldName(writtenName)
    if (isField(declared)) {
      members.fields[name] = declared
      if (isComputed(declared)) continue
      const expected = 'a field with "resolve", or field.viewerEdge()'
      context.issues.add(location, 'a field without a column', expected, 'a stored field')
      continue
    }
    const compiled = isRefDeclaration(declared)
      ? compileRef(context, location, table, name, declared)
      : compileColumnField(context, location, table, writtenName, declared)
    members.fields[name] = compiled.field
    if (compiled.mapping !== undefined) mapping.fields.set(name, compiled.mapping)
  }
}
