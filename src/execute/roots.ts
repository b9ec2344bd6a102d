import { GraphError, isGraphError } from '../base/faults.ts'
import type { NodeRecord } from '../store/contract.ts'
import { assertId } from './call.ts'
import type { Query } from './query.ts'

/** One text for all nodes that are not answered, so that it tells nothing of why. */
export const nodeMissing = (id: string): GraphError =>
  new GraphError(
    'node_missing',
    `Unsupported get request: the node ${id} does not exist, may not be seen, or is not of the type asked for`,
    { id },
  )

/**
 * The ids that can be looked for; under `partial`, one that is none is a message.
 *
 * @throws GraphError `bad_parameter` for an id that is none, `too_many_ids`.
 */
export const judgeIds = (query: Query, ids: readonly string[], several: boolean): readonly string[] => {
  const most = query.engine.limits.ids
  if (ids.length > most) {
    throw new GraphError('too_many_ids', `(#100) Too many IDs. Maximum: ${most}. Provided: ${ids.length}.`, {
      limit: most,
      came: ids.length,
    })
  }
  return ids.filter(id =>
    tolerate(query, several, () => {
      assertId('id', id)
      return true
    }),
  )
}

/**
 * The record of a root, where it may be answered: of the type asked for, of a declared type, and as `me` of a type that a
 * token may stand for.
 *
 * @throws GraphError `node_missing`.
 */
export const rootRecord = (
  { engine: { registry } }: Query,
  id: string,
  type: string | undefined,
  record: NodeRecord | undefined,
): NodeRecord => {
  const declared = record !== undefined && registry.type(record.type) !== undefined
  const wanted = record !== undefined && (type === undefined || record.type === type)
  const stands = id !== 'me' || (record !== undefined && registry.schema.viewers.includes(record.type))
  if (record !== undefined && declared && wanted && stands) return record
  throw nodeMissing(id)
}

/** Under `partial`, a fault of one of several ids is a message, and the id is left out. */
export const tolerate = <TResult>(
  query: Query,
  several: boolean,
  make: () => TResult,
): TResult | undefined => {
  try {
    return make()
  } catch (error) {
    if (!several || query.call.partial !== true || !isGraphError(error)) throw error
    query.messages.warn(error.message)
    return undefined
  }
}

/** Adds the messages to an answer where they were asked for, or where a partial one has something to say. */
export const withMessages = <TAnswer extends object>(query: Query, answer: TAnswer): TAnswer => {
  const messages = query.messages.list()
  if (query.call.debug !== 'all' && messages.length === 0) return answer
  return Object.assign(answer, { __debug__: { messages } })
}
