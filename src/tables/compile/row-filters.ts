import { describeValue } from '../../base/describe.ts'
import { isNonArrayObject } from '../../base/json.ts'
import { getOwn } from '../../schema/node.ts'
import { type ListWhere, notNull, type SessionValue } from '../declare/where.ts'
import type { RowFilter, TableColumn } from '../model/table-model.ts'
import { isComparableKind } from './column-types.ts'
import type { CompileContext } from './compile-context.ts'
import { describeConstants, isConstantOf } from './constants.ts'
import type { DescribedTable } from './described-table.ts'
import type { ParameterConstants } from './list-variants.ts'
import { isParameterValue } from './list-variants.ts'

/** A table whose rows a `where` limits. */
export type FilteredTable = { readonly location: string; readonly table: DescribedTable }

const toConstants = (
  context: CompileContext,
  location: string,
  column: TableColumn,
  values: readonly unknown[],
): RowFilter | undefined => {
  const constants = values.filter(value => isConstantOf(column, value))
  if (constants.length === values.length && values.length > 0)
    return { kind: 'constants', column, values: constants }
  const wrongValue = values.find(value => !isConstantOf(column, value))
  const received = values.length === 0 ? 'an empty array' : describeValue(wrongValue)
  context.issues.add(location, `"where.${column.name}"`, describeConstants(column), received)
  return undefined
}

const isSessionValue = (value: object): value is SessionValue =>
  'kind' in value && value.kind === 'session' && 'valueOf' in value && typeof value.valueOf === 'function'

const isNotNull = (value: unknown): boolean => isNonArrayObject(value) && value.kind === notNull.kind

const compileFilter = (
  context: CompileContext,
  location: string,
  column: TableColumn,
  value: unknown,
  parameters: ParameterConstants | undefined,
): RowFilter | undefined => {
  if (value === null) return { kind: 'null', column }
  if (isNotNull(value)) return { kind: 'notNull', column }
  if (!isComparableKind(column.kind) || column.isArray) {
    const expected = `null or notNull, since the type ${column.sqlType} is not compared`
    context.issues.add(location, `"where.${column.name}"`, expected, describeValue(value))
    return undefined
  }
  if (!isNonArrayObject(value))
    return toConstants(context, location, column, Array.isArray(value) ? value : [value])
  if (isSessionValue(value)) return { kind: 'session', column, valueOf: value.valueOf }
  if (parameters !== undefined && isParameterValue(value)) {
    const constant = getOwn(parameters, value.parameter)
    return constant === undefined ? undefined : toConstants(context, location, column, [constant])
  }
  const words = parameters === undefined ? 'or fromSession()' : 'fromSession() or fromParameter()'
  const expected = `a value, an array of values, null, notNull${parameters === undefined ? ' ' : ', '}${words}`
  context.issues.add(location, `"where.${column.name}"`, expected, describeValue(value))
  return undefined
}

/** Compiles the `where` of a type, or that of a list for the values of its parameters. */
export const compileFilters = (
  context: CompileContext,
  { location, table }: FilteredTable,
  where: ListWhere | undefined,
  parameters?: ParameterConstants,
): readonly RowFilter[] =>
  Object.entries(where ?? {}).flatMap(([name, value]) => {
    const column = context.findColumn(location, `"where.${name}"`, table, name)
    if (column === undefined) return []
    return compileFilter(context, location, table.toComparedColumn(column), value, parameters) ?? []
  })
