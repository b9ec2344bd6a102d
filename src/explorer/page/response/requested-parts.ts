import { isNonArrayObject, type JsonValue } from '../../../base/json.ts'
import type { PathTarget } from '../target/target.ts'

/**
 * Splits a response by the requested ids. Returns the whole response with the id of the path if the request
 * is for one node.
 */
export const splitByRequestedId = (
  { id, ids }: PathTarget,
  body: JsonValue,
): readonly (readonly [id: string, part: JsonValue])[] => {
  if (ids.length === 0) return [[id, body]]
  return isNonArrayObject(body) ? Object.entries(body) : []
}
