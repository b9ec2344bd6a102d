import type { JsonObject } from '../../base/json.ts'
import { isBadValue } from '../../schema/field-type.ts'
import type { Store } from '../../store/contract.ts'
import { valueTypeOf } from '../compile/create-field.ts'
import { listsOf } from '../model/lists.ts'
import type { FieldMapping, ListMapping, TableModel, TypeMapping } from '../model/table-model.ts'
import type { TableFinding } from './findings.ts'
import { readSample, withSample } from './sample.ts'

/** The number of rows at each end of the keys of a table whose values are checked. */
const SAMPLE_SIZE = 5000

/** Rows whose fields are checked: nodes, or rows of a join table. */
type CheckedRows = { readonly type: TypeMapping; readonly areNodes: boolean }

/** Returns the type whose nodes are the rows of a join table. Its ids have the keys of both ends. */
const toRowType = ({ path, table, sourceColumns, targetColumns, data }: ListMapping): TypeMapping => ({
  name: path,
  prefix: 'row',
  table,
  keys: [...sourceColumns, ...targetColumns],
  filters: [],
  fields: new Map(data.map(field => [field.name, field])),
  lists: new Map(),
})

/** Returns the rows that are checked. The lists of one edge have the same fields. */
const findCheckedRows = (model: TableModel): readonly CheckedRows[] => {
  const joins = new Map(listsOf(model).flatMap(list => (list.isJoin ? [[list.path, list] as const] : [])))
  const types = [...model.types.values()].map(type => ({
    ...type,
    // Without a session, no row would match.
    filters: type.filters.filter(({ kind }) => kind !== 'session'),
  }))
  return [
    ...types.map(type => ({ type, areNodes: true })),
    ...[...joins.values()].map(list => ({ type: toRowType(list), areNodes: false })),
  ]
}

type ValueMapping = Extract<FieldMapping, { kind: 'value' }>

/** Counts the bad values of a field. */
class FieldCheck {
  readonly field: ValueMapping
  count = 0
  /** The id of the first row with a bad value. */
  first: string | undefined
  readonly #type: ReturnType<typeof valueTypeOf>

  constructor(field: ValueMapping) {
    this.field = field
    this.#type = valueTypeOf(field)
  }

  check(id: string, values: JsonObject): void {
    if (!isBadValue(this.#type, values[this.field.name])) return
    this.count++
    this.first ??= id
  }
}

const checkRows = async (store: Store, { type, areNodes }: CheckedRows): Promise<readonly TableFinding[]> => {
  const checks = [...type.fields.values()].flatMap(field =>
    field.kind === 'value' ? [new FieldCheck(field)] : [],
  )
  if (checks.length === 0) return []
  const names = new Set(checks.map(({ field }) => field.name))
  let sampled = 0
  for await (const { id, fields } of readSample(store, SAMPLE_SIZE, new Map([[type.name, names]]))) {
    sampled++
    for (const check of checks) check.check(id, fields)
  }
  return checks.flatMap(({ field, count, first }) => {
    if (first === undefined) return []
    const example = areNodes ? first : first.slice(type.prefix.length + 1)
    const { name, column } = field
    return [
      { kind: 'badValues', owner: type.name, field: name, column: column.name, count, sampled, example },
    ]
  })
}

/**
 * Counts the values that fields cannot show, such as a text in an integer column of SQLite or a time beyond the years
 * of JavaScript, in the rows with the smallest and the largest keys. The table store itself reads them, so that exactly
 * the values count that a graph leaves out.
 */
export const checkFields = async (
  model: TableModel,
  openStore: (model: TableModel) => Store,
): Promise<readonly TableFinding[]> => {
  const findings: TableFinding[] = []
  for (const rows of findCheckedRows(model)) {
    const store = openStore(withSample(model, rows.type))
    await store.open()
    try {
      findings.push(...(await checkRows(store, rows)))
    } finally {
      await store.close()
    }
  }
  return findings
}
