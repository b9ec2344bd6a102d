import type { JsonObject } from '../../base/json.ts'
import type {
  AheadList,
  AheadRef,
  AheadResult,
  AheadStep,
  NodeRecord,
  RangeResult,
  ReadAhead,
} from '../../store/contract.ts'
import { toRangeResult } from './range-rows.ts'
import { decodeText } from './stored-text.ts'

/** The results of the steps of a record as the statement returns them. */
type StepsJson = readonly (ListJson | RefJson)[] | null

type EntryJson = readonly [
  target: string,
  time: number,
  data: JsonObject | null,
  type: string,
  fields: JsonObject,
  ahead: StepsJson,
]

type ListJson = readonly [entries: readonly EntryJson[], hasMore: boolean, total: number | null]

/** The id in the field, and its node. The id is null if the step was not executed. */
type RefJson = readonly [id: string | null, type: string | null, fields: JsonObject | null, ahead: StepsJson]

const decodeList = (list: AheadList, [rows, hasMore, total]: ListJson): RangeResult => {
  const entries = rows.map(([target, time, data, type, fields, steps]) => ({
    target,
    time,
    data: data ?? undefined,
    node: attachAhead({ id: target, type: decodeText(type), fields }, list.ahead, steps),
  }))
  return toRangeResult(list, { entries, hasMore, total: total ?? undefined })
}

const decodeRef = (
  { field, ahead }: AheadRef,
  [id, type, fields, steps]: RefJson,
  record: NodeRecord,
): AheadResult => {
  if (id === null || record.fields[field] !== id) return undefined
  if (type === null || fields === null) return { node: undefined }
  return { node: attachAhead({ id, type: decodeText(type), fields }, ahead, steps) }
}

const isListJson = (json: ListJson | RefJson): json is ListJson => Array.isArray(json[0])

const decodeStep = (
  step: AheadStep,
  json: ListJson | RefJson | undefined,
  record: NodeRecord,
): AheadResult => {
  if (json === undefined) return undefined
  if (step.kind === 'list') return isListJson(json) ? decodeList(step, json) : undefined
  return isListJson(json) ? undefined : decodeRef(step, json, record)
}

/** Adds the results that were read ahead to a record. */
const attachAhead = (record: NodeRecord, ahead: ReadAhead | undefined, results: StepsJson): NodeRecord => {
  const steps = ahead?.get(record.type)
  if (steps === undefined || results === null) return record
  const { id, type, fields } = record
  return { id, type, fields, ahead: steps.map((step, index) => decodeStep(step, results[index], record)) }
}

/** Adds the results that were read ahead, as the text of the statement's column, to a record. */
export const decodeAhead = (
  record: NodeRecord,
  ahead: ReadAhead | undefined,
  results: string | null | undefined,
): NodeRecord => (results == null ? record : attachAhead(record, ahead, JSON.parse(results)))
