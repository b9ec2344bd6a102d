import type { NodeRecord, StoreReadRequest } from '../../store/contract.ts'
import type { TypeMapping } from '../model/table-model.ts'
import { parseRowId } from '../rows/row-ids.ts'
import type { SessionFilters } from '../rows/session-texts.ts'
import { allOf, tableSql } from '../sql/sql-text.ts'
import type { CompiledRecord } from './ahead-plans.ts'
import { flattenRow, isJsonArray, jsonArraySql } from './json-arrays.ts'
import type { PartContext } from './part-context.ts'
import type { PartQuery, ReadParts } from './read-parts.ts'
import { addKey, type RequestedRow, requestedKey, requestedKeySql } from './requested-rows.ts'
import { columnsEqualSql, nodeSql } from './row-sql.ts'
import { selectedColumnsSql } from './selected-columns.ts'

const NODE = 'found'

/** Returns the query that finds nodes by their keys. */
const createQuery = (
  type: TypeMapping,
  { plan }: CompiledRecord,
  sessionFilters: SessionFilters,
): PartQuery => {
  const conditions = [
    ...columnsEqualSql('node', type.keys, requestedKeySql('k', type.keys)),
    ...nodeSql(type, 'node', sessionFilters),
  ]
  const lookup = `select ${selectedColumnsSql('node', plan.columns)} from ${tableSql(type.table)} as node where ${allOf(conditions)} limit 1`
  return {
    columns: requestedKey('k', type.keys),
    result: jsonArraySql(plan.sql(NODE, 1)),
    from: `cross join lateral (${lookup}) as ${NODE}`,
  }
}

/** Adds the nodes of a request to the parts of its read. An id that is not a key of its type is a missing node. */
export const addNodes = (
  { model, sessionFilters, records, numbers }: PartContext,
  { nodes, nodesAhead, fields }: StoreReadRequest,
  parts: ReadParts,
  results: (NodeRecord | undefined)[],
): void => {
  for (const [index, id] of nodes.entries()) {
    const row = parseRowId(model, id)
    if (row === undefined) continue
    const { type, key } = row
    const compiled = records.get(type, fields, nodesAhead?.[index])
    const requested: RequestedRow = {}
    addKey(requested, 'k', type.keys, key)
    parts.add(
      {
        key: `node ${numbers.get(compiled.plan)}`,
        query: () => createQuery(type, compiled, sessionFilters),
        values: compiled.values,
      },
      requested,
      result => {
        const node = isJsonArray(result) ? compiled.plan.read(flattenRow(result), 0) : undefined
        // Under a collation that ignores case, another text may find the row.
        results[index] = node?.id === id ? node : undefined
      },
    )
  }
}
