import { isNonArrayObject, type JsonValue } from '../../../base/json.ts'
import type { EdgeView } from '../../schema-view.ts'
import { parseError } from '../response/error-details.ts'
import { printRequestPath } from '../target/query.ts'
import { ROOT_ID } from '../target/target.ts'

/** The number of nodes of a collection, or the message of the error. */
export type CollectionCount = { readonly count?: number; readonly error?: string }

/** The number of collections that are counted. Each needs a request. */
const MAX_COUNTED = 24

/**
 * Returns the names of the collections to count. Without a value of a required parameter, there is nothing to
 * count.
 */
export const countableNamesOf = (collections: readonly EdgeView[]): readonly string[] =>
  collections
    .filter(({ parameters = [] }) => !parameters.some(({ required }) => required))
    .slice(0, MAX_COUNTED)
    .map(({ name }) => name)

/** Formats the path of the request for the count of a collection, which reads no nodes. */
export const printCountPath = (version: string, name: string): string =>
  printRequestPath({ version, path: `${ROOT_ID}/${name}?limit=0&summary=true`, fields: 'id' })

/** Parses the response to a request for a count. A list under a policy may have no count. */
export const parseCount = (body: JsonValue | undefined): CollectionCount => {
  const error = parseError(body)
  if (error !== undefined) return { error: error.message }
  const summary = isNonArrayObject(body) ? body.summary : undefined
  const count = isNonArrayObject(summary) ? summary.total_count : undefined
  return typeof count === 'number' ? { count } : {}
}
