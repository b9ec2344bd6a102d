import type { BoundedMap } from '../../base/bounded-map.ts'
import type { NodeRecord, StoreReadRequest } from '../../store/contract.ts'
import type { TableModel, TypeMapping } from '../model/table-model.ts'
import { parseRowId } from '../rows/row-ids.ts'
import { allOf, tableSql } from '../sql/sql-text.ts'
import type { CompiledRecord, RecordPlans } from './ahead-plans.ts'
import { createRowFlattener, jsonArraySql } from './json-arrays.ts'
import type { ListPlan } from './list-plan.ts'
import type { ObjectNumbers } from './object-numbers.ts'
import type { PartQuery, ReadParts } from './read-parts.ts'
import { addKey, type RequestedRow, requestedKey, requestedKeySql } from './requested-rows.ts'
import { columnsEqualSql, type FilterContext, nodeSql } from './row-sql.ts'
import { selectedColumnsSql } from './selected-columns.ts'

/** What the parts of a read are created with. */
export type PartContext = {
  readonly model: TableModel
  readonly filters: FilterContext
  readonly records: RecordPlans
  readonly numbers: ObjectNumbers
  /** The plans of ranges, by the keys of their parts. */
  readonly plans: BoundedMap<ListPlan>
}

const NODE = 'found'

/** Returns the query that finds nodes by their keys. */
const createQuery = (type: TypeMapping, { plan }: CompiledRecord, filters: FilterContext): PartQuery => {
  const conditions = [
    ...columnsEqualSql('node', type.keys, requestedKeySql('k', type.keys)),
    ...nodeSql(type, 'node', filters),
  ]
  const lookup = `select ${selectedColumnsSql('node', plan.columns)} from ${tableSql(type.table)} as node where ${allOf(conditions)} limit 1`
  return {
    columns: requestedKey('k', type.keys),
    result: jsonArraySql(plan.sql(NODE, 1)),
    from: `cross join lateral (${lookup}) as ${NODE}`,
  }
}

/** Adds the nodes of a request to the parts of its read. An id that is no key of its type is a missing node. */
export const addNodes = (
  { model, filters, records, numbers }: PartContext,
  { nodes, nodesAhead, fields }: StoreReadRequest,
  parts: ReadParts,
  results: (NodeRecord | undefined)[],
): void => {
  for (const [index, id] of nodes.entries()) {
    const row = parseRowId(model, id)
    if (row === undefined) continue
    const { type, key } = row
    const compiled = records.get(type, fields, nodesAhead?.[index])
    const flatten = createRowFlattener(compiled.plan.width)
    const requested: RequestedRow = {}
    addKey(requested, 'k', type.keys, key)
    parts.add(
      {
        key: `node ${numbers.get(compiled.plan)}`,
        query: () => createQuery(type, compiled, filters),
        values: compiled.values,
      },
      requested,
      result => {
        const node = Array.isArray(result) ? compiled.plan.read(flatten(result), 0) : undefined
        // Under a collation that ignores case, another text may find the row.
        results[index] = node?.id === id ? node : undefined
      },
    )
  }
}
