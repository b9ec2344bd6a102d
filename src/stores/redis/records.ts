import type { NodeId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import type { EdgeRecord, NodeRecord, TokenRecord } from '../../store/contract.ts'

/** How the text of every node of a type begins, so that a script can tell the type without parsing. */
export const typePrefix = (type: string): string => `[${JSON.stringify(type)},`

export const encodeNode = ({ type, fields }: Pick<NodeRecord, 'type' | 'fields'>): string =>
  `${typePrefix(type)}${JSON.stringify(fields)}]`

export const decodeNode = (id: NodeId, text: string): NodeRecord => {
  const [type, fields]: readonly [string, JsonObject] = JSON.parse(text)
  return { id, type, fields }
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
