import type { JsonValue } from '../../base/json.ts'
import type { EdgeCheck, EdgeRecord, StoreReadRequest } from '../../store/contract.ts'
import type { ListMapping } from '../model/table-model.ts'
import { EntryLayout, toEdgeRecord } from '../rows/entry-layout.ts'
import { Memo } from '../rows/memo.ts'
import { RecordLayout } from '../rows/record-layout.ts'
import { findList, parseIdOf } from '../rows/row-ids.ts'
import type { SessionFilters } from '../rows/session-texts.ts'
import { allOf } from '../sql/sql-text.ts'
import { orderValueSql } from './column-sql.ts'
import { aliasesOf, entryRowsSql, sourceKeysOf } from './entries-sql.ts'
import { flattenRow, isJsonArray, jsonArraySql } from './json-arrays.ts'
import type { PartContext } from './part-context.ts'
import type { PartQuery, ReadParts } from './read-parts.ts'
import { fieldsSql, keySql } from './record-plan.ts'
import { addKey, type RequestedRow, requestedKey, requestedKeySql } from './requested-rows.ts'
import { columnsEqualSql } from './row-sql.ts'
import { sourceSql } from './source-sql.ts'

const ENTRY = 'found'

/** Returns the query that finds entries by their sources and targets. */
const createQuery = (list: ListMapping, sessionFilters: SessionFilters): PartQuery => {
  const sourceKeys = list.source?.keys ?? []
  const source = sourceSql(list, sessionFilters)
  const aliases = aliasesOf(list, 1)
  const rows = entryRowsSql(list, aliases, sourceKeysOf(list, source.alias), sessionFilters, list.target.keys)
  const targetEquals = columnsEqualSql(
    aliases.entry,
    list.targetColumns,
    requestedKeySql('t', list.target.keys),
  )
  const item = jsonArraySql([
    orderValueSql(aliases.entry, list.order),
    ...fieldsSql(aliases.entry, list.data),
    ...keySql(aliases.target, list.target.keys),
  ])
  const lookup = `select ${item} as item from ${rows.from} where ${allOf([...targetEquals, ...rows.conditions])} limit 1`
  return {
    columns: [...requestedKey('s', sourceKeys), ...requestedKey('t', list.target.keys)],
    result: `${ENTRY}.item`,
    from: `${source.from} cross join lateral (${lookup}) as ${ENTRY}`,
  }
}

/** A list whose entries are checked, with or without their data. */
type CheckedList = { readonly list: ListMapping; readonly layout: EntryLayout }

const createCheckedList = (list: ListMapping): CheckedList => {
  const record = new RecordLayout(list.target, [])
  return { list, layout: new EntryLayout(list, record) }
}

/** The lists of checks. */
export class CheckedLists {
  readonly #whole = new Memo<ListMapping, CheckedList>()
  readonly #bare = new Memo<ListMapping, CheckedList>()

  get(list: ListMapping, hasData: boolean): CheckedList {
    return hasData
      ? this.#whole.get(list, () => createCheckedList(list))
      : this.#bare.get(list, () => createCheckedList({ ...list, data: [] }))
  }
}

/** Returns the result of a check for the row that was found. */
const toResult = (check: EdgeCheck, { layout }: CheckedList, result: JsonValue): boolean | EdgeRecord => {
  const entry = isJsonArray(result) ? layout.read(flattenRow(result)) : undefined
  if (entry?.target !== check.target) return false
  return check.data !== true || toEdgeRecord(check, entry)
}

/** Adds the checks of a request to the parts of its read. */
export const addChecks = (
  { model, sessionFilters, numbers }: PartContext,
  checkedLists: CheckedLists,
  { checks }: StoreReadRequest,
  parts: ReadParts,
  results: (boolean | EdgeRecord)[],
): void => {
  for (const [index, check] of checks.entries()) {
    const found = findList(model, check)
    const targetKey = found && parseIdOf(model, found.list.target, check.target)
    if (found === undefined || targetKey === undefined) continue
    const checked = checkedLists.get(found.list, check.data === true)
    const requested: RequestedRow = {}
    addKey(requested, 's', found.list.source?.keys ?? [], found.sourceKey)
    addKey(requested, 't', found.list.target.keys, targetKey)
    const key = `check ${numbers.get(checked)}`
    parts.add(
      { key, query: () => createQuery(checked.list, sessionFilters), values: [] },
      requested,
      result => {
        results[index] = toResult(check, checked, result)
      },
    )
  }
}
