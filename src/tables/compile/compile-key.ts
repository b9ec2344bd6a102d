import type { Dialect } from '../description/database-description.ts'
import type { ColumnKind, TableColumn } from '../model/table-model.ts'
import { typesOfKinds } from './column-types.ts'
import type { CompileContext } from './compile-context.ts'
import type { DescribedTable } from './described-table.ts'

/** The kinds whose values have one text each, which an id can contain. */
const KEY_KINDS: readonly ColumnKind[] = [
  'bool',
  'int2',
  'int4',
  'int8',
  'text',
  'char',
  'citext',
  'enum',
  'uuid',
  'date',
]

/** Whether the values of a column can be in an id. */
export const canBeKey = ({
  kind,
  isArray,
  scale,
}: Pick<TableColumn, 'kind' | 'isArray' | 'scale'>): boolean =>
  !isArray && (KEY_KINDS.includes(kind) || (kind === 'numeric' && scale === 0))

/** Describes the types whose values can be in an id. */
const describeKeyTypes = (dialect: Dialect): string =>
  [...typesOfKinds(dialect, KEY_KINDS), ...(dialect === 'postgres' ? ['numeric of integers'] : [])].join(', ')

/** Returns the columns of a type's key. Adds an error if there are none, or if their values cannot be in an id. */
export const compileKey = (
  { issues, dialect }: CompileContext,
  location: string,
  table: DescribedTable,
): readonly TableColumn[] => {
  if (table.keyColumns.length === 0) {
    const example = `over: { table: '${table.key}', key: 'column' }`
    issues.add(location, '"over"', `a table with a key, or ${example}`, `${table.key} without a key`)
  }
  const columns = table.keyColumns.flatMap(name => table.find(name) ?? [])
  const keys = columns.map(column => table.toComparedColumn(column))
  for (const column of keys.filter(column => !canBeKey(column))) {
    const received = `${column.name} of the type ${column.sqlType}${column.isArray ? '[]' : ''}`
    const advice = `declare other columns that are unique as over: { table: '${table.key}', key: 'column' }`
    const expected = `of a type whose values can be ids (${describeKeyTypes(dialect)})`
    issues.add(location, 'each column of the key', expected, `${received}; ${advice}`)
  }
  return keys
}
