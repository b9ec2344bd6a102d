import type { NodeId } from '../../base/ids.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts'
import type { EdgeRecord, NodeRecord, TokenRecord } from '../../store/contract.ts'
import { restoreTokenRecord } from '../../store/restore-token-record.ts'

/**
 * Encodes the beginning of the text of every node of a type, so that a script can compare types without
 * parsing.
 */
export const encodeTypePrefix = (type: string): string => `[${JSON.stringify(type)},`

export const encodeNode = ({ type, fields }: Pick<NodeRecord, 'type' | 'fields'>): string =>
  `${encodeTypePrefix(type)}${JSON.stringify(fields)}]`

export const decodeNode = (id: NodeId, text: string): NodeRecord => {
  const [type, fields]: readonly [string, JsonObject] = JSON.parse(text)
  return { id, type, fields }
}

/** The number of items per record in a list of many: its type, its fields, its index. */
const CELLS_PER_RECORD = 3

const createDamagedRecordError = (): Error => new Error('expected the record of a node as [type, fields]')

/**
 * Decodes the records of nodes, each undefined if there is no text. All are parsed as one list, without their
 * own brackets, which takes four fifths of the time. Each is followed by its index, since a damaged record
 * would otherwise shift the others and give nodes the fields of others.
 */
export const decodeNodes = (
  ids: readonly NodeId[],
  texts: readonly unknown[],
): readonly (NodeRecord | undefined)[] => {
  const encodedCells = texts.map(
    (text, index) => `${typeof text === 'string' ? text.slice(1, -1) : 'null,null'},${index}`,
  )
  const cells: readonly JsonValue[] = JSON.parse(`[${encodedCells.join()}]`)
  if (cells.length !== CELLS_PER_RECORD * ids.length) throw createDamagedRecordError()
  return ids.map((id, index) => {
    const offset = CELLS_PER_RECORD * index
    const type = cells[offset]
    const fields = cells[offset + 1]
    if (cells[offset + 2] !== index) throw createDamagedRecordError()
    if (typeof texts[index] !== 'string') return undefined
    if (typeof type !== 'string' || !isJsonObject(fields)) throw createDamagedRecordError()
    return { id, type, fields }
  })
}

/**
 * Encodes the data of an edge with its time. If they are read separately, the time shows whether they belong
 * together.
 */
export const encodeData = (time: EdgeRecord['time'], data: JsonObject): string => JSON.stringify([time, data])

export const decodeData = (text: string): readonly [time: number, data: JsonObject] => JSON.parse(text)

export const encodeToken = (token: TokenRecord): string => JSON.stringify(token)

export const decodeToken = (text: string): TokenRecord => restoreTokenRecord(JSON.parse(text))
