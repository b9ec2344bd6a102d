import { isPublicId } from '../access/app-ids/app-ids.ts'
import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import { GraphError, isGraphError } from '../base/faults.ts'
import type { NodeId } from '../base/ids.ts'
import type { NodeRecord } from '../store/contract.ts'
import { assertId } from './call.ts'
import { type Course, settled } from './course.ts'
import type { Wanted } from './judge.ts'
import type { Query } from './query.ts'

/** One text for all nodes that are not answered, so that it tells nothing of why. */
export const nodeMissing = (id: string): GraphError =>
  new GraphError(
    'node_missing',
    `Unsupported get request. The node ${id} does not exist, may not be seen, or is not of the type asked for`,
    { id },
  )

/** The fault for a `me` that does not exist. Clients of the protocol match its first words. */
export const viewerMissing = (): GraphError =>
  new GraphError(
    'viewer_missing',
    'An active access token must be used to query information about the current user; this token has no viewer',
  )

/** The fault for a root that is not answered. */
export const rootMissing = ({ session }: Query, id: string): GraphError =>
  id === 'me' && session.viewer === undefined ? viewerMissing() : nodeMissing(id)

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
      assertId('id', id, query.engine.appIds !== undefined)
      return true
    }),
  )
}

/** Whether what an id stands for depends on the session, so that the token has to be read first. */
export const waitsFor = (id: unknown): boolean => id === 'me' || (typeof id === 'string' && isPublicId(id))

/**
 * The ids to read for those that were asked: what stands for nothing is not asked for.
 *
 * @throws GraphError `viewer_missing`; under `partial`, where several are asked, that is a message.
 */
export const rootIds = (query: Query, ids: readonly string[], several: boolean): NodeId[] => {
  tolerate(query, several, () => {
    if (ids.includes('me') && query.session.viewer === undefined) throw rootMissing(query, 'me')
  })
  return ids.map(id => query.resolve(id)).filter(id => id !== undefined)
}

/** What was read for each id that was asked, in their order. */
export const placed = <TRead>(
  query: Query,
  ids: readonly string[],
  read: readonly TRead[],
): (TRead | undefined)[] => {
  let next = 0
  return ids.map(id => (query.resolve(id) === undefined ? undefined : read[next++]))
}

/**
 * Whether a record may be a root: of the type asked for, of a declared type, as `me` of a type that a token may stand for,
 * and asked by the kind of id that its type has.
 */
export const isRoot = (
  { engine: { registry, appIds } }: Query,
  id: string,
  type: string | undefined,
  record: NodeRecord,
): boolean => {
  const declared = registry.type(record.type)
  if (declared === undefined || (type !== undefined && record.type !== type)) return false
  if (id === 'me') return registry.schema.viewers.includes(record.type)
  return isPublicId(id) === (declared.appScoped && appIds !== undefined)
}

/** A node that was asked for, under the id that it was asked by. */
export type Root = { readonly id: string; readonly record: NodeRecord }

/** What was read for each id, where it may be a root. */
export const foundRoots = (
  query: Query,
  ids: readonly string[],
  type: string | undefined,
  read: readonly (NodeRecord | undefined)[],
): (Root | undefined)[] => {
  const records = placed(query, ids, read)
  return ids.map((id, index) => {
    const record = records[index]
    return record !== undefined && isRoot(query, id, type, record) ? { id, record } : undefined
  })
}

/** What `enterRoots` does on its way. */
type Entering<TEntered extends object> = {
  /** Adds what will be judged of a root later, so that its tests go out with those of the roots. */
  foresee(root: Root, wanted: Wanted): void
  /** Admits the call; `seen` are the roots without those that the viewer may not see. */
  enter(seen: readonly (Root | undefined)[]): Awaitable<TEntered>
}

/**
 * Leaves out the roots that the viewer may not see and admits the call: before any tests are read if the roots need none,
 * else right after them. Reads one wave of tests at the most.
 */
export function* enterRoots<TEntered extends object>(
  query: Query,
  found: readonly (Root | undefined)[],
  { foresee, enter }: Entering<TEntered>,
): Course<TEntered> {
  const { judge, engine } = query
  const wanted: Wanted = []
  const allows = ({ record }: Root): boolean | undefined =>
    judge.allows(engine.registry.type(record.type)?.policy, record, wanted)
  const possible = found.map(root => (root === undefined || allows(root) === false ? undefined : root))
  const isDecided = wanted.length === 0
  const early = isDecided ? enter(possible) : undefined
  const entered = early !== undefined && isPromiseLike(early) ? yield* settled(early) : early
  for (const root of possible) if (root !== undefined) foresee(root, wanted)
  yield* judge.learn(wanted)
  if (entered !== undefined) return entered
  const late = enter(possible.map(root => (root !== undefined && allows(root) === true ? root : undefined)))
  return isPromiseLike(late) ? yield* settled(late) : late
}

/** The roots in the order of the ids. @throws GraphError `node_missing` or `viewer_missing` for the first that is not there. */
export const presentRoots = (
  query: Query,
  ids: readonly string[],
  several: boolean,
  roots: readonly (Root | undefined)[],
): Root[] => {
  const present: Root[] = []
  ids.forEach((id, index) => {
    tolerate(query, several, () => {
      const root = roots[index]
      if (root === undefined) throw rootMissing(query, id)
      present.push(root)
    })
  })
  return present
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
  const messages = query.messages.list(query.engine.masking)
  if (query.call.debug !== 'all' && messages.length === 0) return answer
  return Object.assign(answer, { __debug__: { messages } })
}
