import type { NodeId } from '../../base/ids.ts'
import { isNonArrayObject, type JsonObject } from '../../base/json.ts'
import type { NodeRecord } from '../../store/contract.ts'

/** Parses JSON that another program may have damaged. Returns undefined if it is not valid. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses a record. Returns undefined if it is damaged. */
export const parseNode = (id: NodeId, text: string): NodeRecord | undefined => {
  const cells = parseJson(text)
  const [type, fields]: readonly unknown[] = Array.isArray(cells) ? cells : []
  if (typeof type !== 'string' || !isNonArrayObject(fields)) return undefined
  return { id, type, fields: fields as JsonObject }
}

/**
 * Parses the type at the start of a record. Returns '' for a damaged record, because the schema has no type of
 * this name.
 */
export const parseRecordType = (recordStart: string): string => {
  const text = /^\["(?:[^"\\]|\\.)*"/s.exec(recordStart)?.[0].slice(1)
  return text === undefined ? '' : String(parseJson(text) ?? '')
}

/** Parses the data of an edge with its time. Returns undefined if it is damaged. */
export const parseData = (text: string): readonly [time: number, data: JsonObject] | undefined => {
  const cells = parseJson(text)
  const [time, data]: readonly unknown[] = Array.isArray(cells) ? cells : []
  return typeof time === 'number' && isNonArrayObject(data) ? [time, data as JsonObject] : undefined
}

/**
 * Encodes the data of an edge with its time. If the edge and its data are read separately, the time shows
 * whether they belong together.
 */
export const encodeData = (time: number, data: JsonObject): string => JSON.stringify([time, data])

/** Decodes the data of an edge. Throws an error without its text if it is damaged. */
export const decodeData = (text: string): readonly [time: number, data: JsonObject] => {
  const cells = parseData(text)
  if (cells === undefined) throw new Error('expected the data of an edge as [time, data]')
  return cells
}
