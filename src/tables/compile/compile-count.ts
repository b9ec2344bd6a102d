import { describeValue } from '../../base/describe.ts'
import { isNonArrayObject } from '../../base/json.ts'
import type { CountDeclaration } from '../declare/lists.ts'
import type { ColumnKind, CountMapping } from '../model/table-model.ts'
import { findColumnType, isColumnType } from './column-types.ts'
import type { CompileContext } from './compile-context.ts'
import type { DescribedTable } from './described-table.ts'

/** How far a list is counted without `count`. */
const DEFAULT_MAX = 10_000

const INTEGER_KINDS: readonly ColumnKind[] = ['int2', 'int4', 'int8']

const compileCountColumn = (
  context: CompileContext,
  location: string,
  name: string,
  table: DescribedTable,
): CountMapping | undefined => {
  const column = context.findColumn(location, '"count.column"', table, name)
  if (column === undefined) return undefined
  const type = findColumnType(table.dialect, column.description, undefined)
  if (isColumnType(type) && INTEGER_KINDS.includes(type.kind) && column.description.array !== true)
    return { kind: 'column', column: table.toColumn(column, type) }
  const received = `${column.name} of the type ${column.description.type}`
  context.issues.add(location, '"count.column"', `an integer column of ${table.key}`, received)
  return undefined
}

/** Compiles how a list is counted. `source` is the table of the sources; a collection has none. */
export const compileCount = (
  context: CompileContext,
  location: string,
  count: CountDeclaration | undefined = DEFAULT_MAX,
  source: DescribedTable | undefined,
): CountMapping => {
  if (count === 'exact') return { kind: 'exact' }
  if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 1)
    return { kind: 'capped', max: count }
  if (source !== undefined && isNonArrayObject(count) && typeof count.column === 'string')
    return compileCountColumn(context, location, count.column, source) ?? { kind: 'exact' }
  const expected = `an integer of at least 1${source === undefined ? ' or "exact"' : ', "exact" or { column }'}`
  context.issues.add(location, '"count"', expected, describeValue(count))
  return { kind: 'exact' }
}
