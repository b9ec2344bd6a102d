import { type EdgeType, edge } from '../../schema/edge.ts'
import type { ValueField } from '../../schema/field.ts'
import { orderListOf } from '../../store/derived-entries.ts'
import type {
  BackDeclaration,
  TableListOptions,
  TableOrder,
  ThroughDeclaration,
  ThroughOptions,
} from '../declare/lists.ts'
import type { ColumnNames } from '../declare/references.ts'
import type { FieldMapping, ListMapping, TableColumn } from '../model/table-model.ts'
import {
  assertListOptions,
  describeDeclaration,
  isBackDeclaration,
  isTableCollection,
  isThroughDeclaration,
  JOIN_OPTION_KINDS,
} from './check-declarations.ts'
import { checkParameters } from './check-parameters.ts'
import type { CompileContext, CompiledType } from './compile-context.ts'
import { compileCount } from './compile-count.ts'
import { type CompiledField, checkFieldNames, compileColumnField } from './compile-fields.ts'
import { compileOrder, type SortedRows } from './compile-order.ts'
import type { DescribedTable } from './described-table.ts'
import { type ListVariant, variantsOf } from './list-variants.ts'
import { matchKey } from './match-key.ts'
import { compileFilters } from './row-filters.ts'
import { createTableEdge, toCollection } from './table-edge.ts'
import { checkPairs } from './unique-pairs.ts'

/** An edge of the schema, and its stored lists. An edge with errors has no lists. */
export type CompiledEdge = { readonly edge: EdgeType; readonly lists: readonly ListMapping[] }

/** Returns an edge without options, so that a rule that names it is not a further error. */
const toEdgeWithErrors = (target: string): CompiledEdge => ({ edge: edge(target), lists: [] })

const toCollectionWithErrors = (target: string): CompiledEdge => ({
  edge: toCollection(edge(target)),
  lists: [],
})

/** The parts that the stored lists of an edge have in common. */
type ListBase = Omit<ListMapping, 'name' | 'table' | 'order' | 'filters'> & {
  readonly edge: string
  readonly options: TableListOptions
  /** The rows of the list, with the filters that they have without those of the list. */
  readonly rows: SortedRows
}

/** Returns the columns that fields show, as these read them. */
const columnsOf = (fields: Iterable<FieldMapping>): readonly TableColumn[] =>
  [...fields].flatMap(field => (field.kind === 'value' ? [field.column] : []))

const compileVariant = (
  context: CompileContext,
  base: ListBase,
  { name, values }: ListVariant,
): readonly ListMapping[] => {
  const { edge: _, options, rows, ...shared } = base
  const { path } = base
  const filters = compileFilters(context, { location: path, table: rows.table }, options.where, values)
  const sortedRows: SortedRows = { ...rows, filters: [...filters, ...rows.filters] }
  if (base.isJoin) checkPairs(context, path, { ...shared, table: rows.table, filters })
  const sorts: readonly (readonly [list: string, location: string, sort: TableOrder])[] = [
    [name, path, options],
    ...Object.entries(options.orders ?? {}).map(
      ([order, sort]) => [orderListOf(name, order), `${path}.${order}`, sort] as const,
    ),
  ]
  return sorts.flatMap(([list, location, sort]) => {
    const order = compileOrder(context, location, sort, sortedRows)
    return order === undefined ? [] : [{ ...shared, name: list, table: rows.table.name, order, filters }]
  })
}

const compileList = (context: CompileContext, base: ListBase): readonly ListMapping[] => {
  checkParameters(context, base.path, base.options)
  return variantsOf(base.edge, base.options).flatMap(variant => compileVariant(context, base, variant))
}

/** The rows of a target's own table. */
const rowsOfTarget = ({ table, mapping }: CompiledType): SortedRows => ({
  table,
  filters: mapping.filters,
  shownColumns: columnsOf(mapping.fields.values()),
})

const compileBack = (
  context: CompileContext,
  source: CompiledType,
  edge: string,
  { target: targetName, columns: names, options }: BackDeclaration,
): CompiledEdge => {
  const path = `${source.mapping.name}.${edge}`
  const target = context.types.get(targetName)
  if (target === undefined) return toEdgeWithErrors(targetName)
  const { table } = target
  const columns = context.findColumns(path, 'the column', table, names)
  const lists = compileList(context, {
    edge,
    path,
    options,
    rows: rowsOfTarget(target),
    isJoin: false,
    source: source.mapping,
    target: target.mapping,
    sourceColumns: (columns && matchKey(context, { location: path, table, columns, owner: source })) ?? [],
    targetColumns: target.mapping.keys,
    data: [],
    count: compileCount(context, path, options.count, source.table),
  })
  return {
    lists,
    edge: createTableEdge(context, edge, { path, target: targetName, options, lists, fields: {} }),
  }
}

/** Compiles the fields of an edge, over columns of the join table. */
const compileEntryFields = (
  context: CompileContext,
  path: string,
  table: DescribedTable,
  { fields = {} }: ThroughOptions,
): readonly CompiledField<ValueField>[] => {
  const compiled = Object.entries(fields).map(([name, field]) =>
    compileColumnField(context, `${path}.${name}`, table, name, field),
  )
  const names = compiled.map(({ name }) => name)
  checkFieldNames(context, path, names)
  return compiled
}

const compileThrough = (
  context: CompileContext,
  source: CompiledType,
  edge: string,
  declaration: ThroughDeclaration,
): CompiledEdge => {
  const { options, columns, target: targetName, targetColumns } = declaration
  const path = `${source.mapping.name}.${edge}`
  const target = context.types.get(targetName)
  const table = context.findTable(path, 'the join table', declaration.joinTable, options.timeZone)
  if (target === undefined || table === undefined) return toEdgeWithErrors(targetName)
  const match = (names: ColumnNames, owner: CompiledType): readonly TableColumn[] => {
    const found = context.findColumns(path, 'the column', table, names)
    return (found && matchKey(context, { location: path, table, columns: found, owner })) ?? []
  }
  const fields = compileEntryFields(context, path, table, options)
  const data = fields.flatMap(({ mapping }) => mapping ?? [])
  const lists = compileList(context, {
    edge,
    path,
    options,
    rows: { table, filters: [], shownColumns: columnsOf(data) },
    isJoin: true,
    source: source.mapping,
    target: target.mapping,
    sourceColumns: match(columns, source),
    targetColumns: match(targetColumns, target),
    data,
    count: compileCount(context, path, options.count, source.table),
  })
  const edgeFields = Object.fromEntries(fields.map(({ name, field }) => [name, field]))
  return {
    lists,
    edge: createTableEdge(context, edge, { path, target: targetName, options, lists, fields: edgeFields }),
  }
}

/** Compiles an edge: one list for each order and each combination of parameters. */
export const compileEdge = (
  context: CompileContext,
  source: CompiledType,
  edge: string,
  declaration: unknown,
): CompiledEdge | undefined => {
  const { issues } = context
  const path = `${source.mapping.name}.${edge}`
  if (isBackDeclaration(declaration)) {
    const isValid = issues.assert(() => assertListOptions(path, declaration.options))
    return isValid ? compileBack(context, source, edge, declaration) : toEdgeWithErrors(declaration.target)
  }
  if (isThroughDeclaration(declaration)) {
    const isValid = issues.assert(() => assertListOptions(path, declaration.options, JOIN_OPTION_KINDS))
    return isValid ? compileThrough(context, source, edge, declaration) : toEdgeWithErrors(declaration.target)
  }
  const expected = 'an edge that back() or through() of kithgraph/tables returns'
  issues.add(path, 'the edge', expected, describeDeclaration(declaration))
  return undefined
}

/** Compiles a collection: one list for each order and each combination of parameters. */
export const compileCollection = (
  context: CompileContext,
  name: string,
  declaration: unknown,
): CompiledEdge | undefined => {
  const path = `root.${name}`
  if (!isTableCollection(declaration)) {
    const expected = 'a collection that collection() of kithgraph/tables returns'
    context.issues.add(path, 'the collection', expected, describeDeclaration(declaration))
    return undefined
  }
  const { target: targetName, options } = declaration
  if (!context.issues.assert(() => assertListOptions(path, options)))
    return toCollectionWithErrors(targetName)
  const target = context.types.get(targetName)
  if (target === undefined) return toCollectionWithErrors(targetName)
  const lists = compileList(context, {
    edge: name,
    path,
    options,
    rows: rowsOfTarget(target),
    isJoin: false,
    source: undefined,
    target: target.mapping,
    sourceColumns: [],
    targetColumns: target.mapping.keys,
    data: [],
    count: compileCount(context, path, options.count, undefined),
  })
  const edge = createTableEdge(context, name, { path, target: targetName, options, lists, fields: {} })
  return { lists, edge: toCollection(edge) }
}
