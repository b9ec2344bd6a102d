import type { NodeId } from '../../base/ids.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts'
import type { EdgeRecord, NodeRecord, TokenRecord } from '../../store/contract.ts'

/** How the text of every node of a type begins, so that a script can tell the type without parsing. */
export const typePrefix = (type: string): string => `[${JSON.stringify(type)},`

export const encodeNode = ({ type, fields }: Pick<NodeRecord, 'type' | 'fields'>): string =>
  `${typePrefix(type)}${JSON.stringify(fields)}]`

export const decodeNode = (id: NodeId, text: string): NodeRecord => {
  const [type, fields]: readonly [string, JsonObject] = JSON.parse(text)
  return { id, type, fields }
}

/**
 * The records of nodes, each undefined where there is no text. All are parsed as one list, into which they go without
 * their brackets: that takes four fifths of the time.
 */
export const decodeNodes = (
  ids: readonly NodeId[],
  texts: readonly unknown[],
): readonly (NodeRecord | undefined)[] => {
  let list = ''
  for (const text of texts) list += typeof text === 'string' ? `,${text.slice(1, -1)}` : ',null,null'
  const cells: readonly JsonValue[] = JSON.parse(`[${list.slice(1)}]`)
  // What is no pair would shift the others, and give nodes the fields of others.
  if (cells.length !== 2 * ids.length)
    throw new Error(
      `expected records as [type, fields], came ${cells.length} values for ${ids.length} records`,
    )
  return ids.map((id, index) => {
    const type = cells[2 * index]
    const fields = cells[2 * index + 1]
    return typeof type === 'string' && isJsonObject(fields) ? { id, type, fields } : undefined
  })
}

/** The data of an edge, beside its time: where they were read apart, the time tells whether they belong together. */
export const encodeData = (time: EdgeRecord['time'], data: JsonObject): string => JSON.stringify([time, data])

export const decodeData = (text: string): readonly [time: number, data: JsonObject] => JSON.parse(text)

export const encodeToken = (token: TokenRecord): string => JSON.stringify(token)

/** JSON leaves out what is undefined; a token has every member. */
export const decodeToken = (text: string): TokenRecord => {
  const { viewer, app, scopes, issuedAt, expiresAt, revokedAt }: TokenRecord = JSON.parse(text)
  return { viewer, app, scopes, issuedAt, expiresAt, revokedAt }
}
