import type { NodeId } from '../../base/ids.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts'
import type { EdgeRecord, NodeRecord, TokenRecord } from '../../store/contract.ts'
import { wholeToken } from '../../store/whole-token.ts'

/** How the text of every node of a type begins, so that a script can tell the type without parsing. */
export const typePrefix = (type: string): string => `[${JSON.stringify(type)},`

export const encodeNode = ({ type, fields }: Pick<NodeRecord, 'type' | 'fields'>): string =>
  `${typePrefix(type)}${JSON.stringify(fields)}]`

export const decodeNode = (id: NodeId, text: string): NodeRecord => {
  const [type, fields]: readonly [string, JsonObject] = JSON.parse(text)
  return { id, type, fields }
}

/** Of a record in a list of many: its type, its fields, its place. */
const CELLS = 3

const damaged = (): Error => new Error('expected the record of a node as [type, fields]')

/**
 * The records of nodes, each undefined where there is no text. All are parsed as one list, into which they go without
 * their brackets: that takes four fifths of the time. Behind each stands its place, since a damaged one would shift the
 * others, and lend nodes the fields of others.
 */
export const decodeNodes = (
  ids: readonly NodeId[],
  texts: readonly unknown[],
): readonly (NodeRecord | undefined)[] => {
  const pairs = texts.map(
    (text, place) => `${typeof text === 'string' ? text.slice(1, -1) : 'null,null'},${place}`,
  )
  const cells: readonly JsonValue[] = JSON.parse(`[${pairs.join()}]`)
  if (cells.length !== CELLS * ids.length) throw damaged()
  return ids.map((id, place) => {
    const at = CELLS * place
    const type = cells[at]
    const fields = cells[at + 1]
    if (cells[at + 2] !== place) throw damaged()
    if (typeof texts[place] !== 'string') return undefined
    if (typeof type !== 'string' || !isJsonObject(fields)) throw damaged()
    return { id, type, fields }
  })
}

/** The data of an edge, beside its time: where they were read apart, the time tells whether they belong together. */
export const encodeData = (time: EdgeRecord['time'], data: JsonObject): string => JSON.stringify([time, data])

export const decodeData = (text: string): readonly [time: number, data: JsonObject] => JSON.parse(text)

export const encodeToken = (token: TokenRecord): string => JSON.stringify(token)

export const decodeToken = (text: string): TokenRecord => wholeToken(JSON.parse(text))
