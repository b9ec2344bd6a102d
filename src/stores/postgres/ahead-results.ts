import type { JsonObject } from '../../base/json.ts'
import type {
  AheadList,
  AheadRef,
  AheadResult,
  EdgeEntry,
  NodeRecord,
  RangeResult,
  ReadAhead,
} from '../../store/contract.ts'
import { toRangeResult } from './range-rows.ts'
import { decodeText } from './stored-text.ts'

/** The results of the steps of a record as the statement returns them: a list has two cells, a ref has one. */
type CellsJson = readonly CellJson[] | null

/** The entries of a list, its total, or the node of a ref. The total is null if it was not requested. */
type CellJson = EntriesJson | number | RefJson | null

/** Null is the row that shows that the list has more entries. */
type EntriesJson = readonly (EntryJson | null)[]

type EntryJson = readonly [
  target: string,
  time: number,
  data: JsonObject | null,
  type: string,
  fields: JsonObject,
  ahead: CellsJson,
]

/** The id in the field, and its node. If the step was not executed, the cell begins with null instead. */
type RefJson = readonly [id: string, type: string | null, fields: JsonObject | null, ahead: CellsJson]

const isRefJson = (cell: CellJson | undefined): cell is RefJson =>
  Array.isArray(cell) && typeof cell[0] === 'string'

const isEntriesJson = (cell: CellJson | undefined): cell is EntriesJson =>
  Array.isArray(cell) && !isRefJson(cell)

const decodeList = (
  list: AheadList,
  rows: CellJson | undefined,
  total: CellJson | undefined,
): RangeResult | undefined => {
  if (!isEntriesJson(rows)) return undefined
  const entries: EdgeEntry[] = []
  for (const row of rows) {
    if (row === null) continue
    const [target, time, data, type, fields, cells] = row
    const node = attachAhead({ id: target, type: decodeText(type), fields }, list.ahead, cells)
    entries.push({ target, time, data: data ?? undefined, node })
  }
  const hasMore = entries.length < rows.length
  return toRangeResult(list, { entries, hasMore, total: typeof total === 'number' ? total : undefined })
}

const decodeRef = (
  { field, ahead }: AheadRef,
  cell: CellJson | undefined,
  record: NodeRecord,
): AheadResult => {
  if (!isRefJson(cell)) return undefined
  const [id, type, fields, cells] = cell
  if (record.fields[field] !== id) return undefined
  if (type === null || fields === null) return { node: undefined }
  return { node: attachAhead({ id, type: decodeText(type), fields }, ahead, cells) }
}

/** Adds the results that were read ahead to a record. */
const attachAhead = (record: NodeRecord, ahead: ReadAhead | undefined, cells: CellsJson): NodeRecord => {
  const steps = ahead?.get(record.type)
  if (steps === undefined || cells === null) return record
  let next = 0
  const results = steps.map(step =>
    step.kind === 'list'
      ? decodeList(step, cells[next++], cells[next++])
      : decodeRef(step, cells[next++], record),
  )
  const { id, type, fields } = record
  return { id, type, fields, ahead: results }
}

/** Adds the results that were read ahead, as the text of the statement's column, to a record. */
export const decodeAhead = (
  record: NodeRecord,
  ahead: ReadAhead | undefined,
  results: string | null | undefined,
): NodeRecord => (results == null ? record : attachAhead(record, ahead, JSON.parse(results)))
