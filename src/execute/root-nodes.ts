import { isPublicId } from '../access/app-ids/app-ids.ts'
import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import { GraphError, isGraphError } from '../base/errors.ts'
import type { NodeId } from '../base/ids.ts'
import type { NodeRecord } from '../store/contract.ts'
import { assertId } from './call.ts'
import { type Course, waitFor } from './course.ts'
import type { PendingChecks } from './policy-evaluator.ts'
import type { Query } from './query.ts'

/**
 * The error of a node that is not returned. Its text is the same for all causes, so that it does not reveal
 * the cause.
 */
export const nodeNotFoundError = (id: string): GraphError =>
  new GraphError(
    'node_not_found',
    `Unsupported get request. The node ${id} does not exist, is not visible, or is not of the requested type`,
    { id },
  )

/** The error of a `me` without a viewer. Clients of the protocol match its first words. */
export const viewerRequiredError = (): GraphError =>
  new GraphError(
    'viewer_required',
    'An active access token must be used to query information about the current user; this token has no viewer',
  )

/** The error of a root that is not returned. */
export const rootNotFoundError = ({ session }: Query, id: string): GraphError =>
  id === 'me' && session.viewer === undefined ? viewerRequiredError() : nodeNotFoundError(id)

/**
 * Returns the valid ids. With `partial`, an invalid id is reported as a message.
 *
 * @throws GraphError `invalid_parameter` for an invalid id, `too_many_ids`.
 */
export const validIds = (query: Query, ids: readonly string[], isMultiId: boolean): readonly string[] => {
  const maxIds = query.engine.limits.ids
  if (ids.length > maxIds) {
    throw new GraphError(
      'too_many_ids',
      `(#100) Too many IDs. Maximum: ${maxIds}. Provided: ${ids.length}.`,
      {
        limit: maxIds,
        received: ids.length,
      },
    )
  }
  return ids.filter(id =>
    reportIfPartial(query, isMultiId, () => {
      assertId('id', id, query.engine.appIds !== undefined)
      return true
    }),
  )
}

/** Whether the node of an id depends on the session, so that the token has to be read first. */
export const needsSession = (id: unknown): boolean =>
  id === 'me' || (typeof id === 'string' && isPublicId(id))

/**
 * Returns the stored ids of the requested ones, without those that have none.
 *
 * @throws GraphError `viewer_required`; for several ids with `partial`, it is reported as a message.
 */
export const resolveRootIds = (query: Query, ids: readonly string[], isMultiId: boolean): NodeId[] => {
  reportIfPartial(query, isMultiId, () => {
    if (ids.includes('me') && query.session.viewer === undefined) throw rootNotFoundError(query, 'me')
  })
  return ids.map(id => query.resolveId(id)).filter(id => id !== undefined)
}

/** Returns the result of each requested id; undefined for an id that was not read. */
export const alignToIds = <TRead>(
  query: Query,
  ids: readonly string[],
  results: readonly TRead[],
): (TRead | undefined)[] => {
  let nextIndex = 0
  return ids.map(id => (query.resolveId(id) === undefined ? undefined : results[nextIndex++]))
}

/**
 * Whether a record may be a root: its type is declared and is the requested one, for `me` it is a viewer
 * type, and the requested id is of the kind (raw or app-scoped) that the type has.
 */
export const matchesRequest = (
  { engine: { registry, appIds } }: Query,
  id: string,
  type: string | undefined,
  record: NodeRecord,
): boolean => {
  const nodeType = registry.getType(record.type)
  if (nodeType === undefined || (type !== undefined && record.type !== type)) return false
  if (id === 'me') return registry.schema.viewers.includes(record.type)
  return isPublicId(id) === (nodeType.appScoped && appIds !== undefined)
}

/** A requested node, with the id of the request. */
export type RootNode = { readonly id: string; readonly record: NodeRecord }

/** Returns the root of each id; undefined if no record was found or the record may not be a root. */
export const findRoots = (
  query: Query,
  ids: readonly string[],
  type: string | undefined,
  readRecords: readonly (NodeRecord | undefined)[],
): (RootNode | undefined)[] => {
  const records = alignToIds(query, ids, readRecords)
  return ids.map((id, index) => {
    const record = records[index]
    return record !== undefined && matchesRequest(query, id, type, record) ? { id, record } : undefined
  })
}

/** The callbacks of `validateVisibleRoots`. */
type RootValidation<TValidated extends object> = {
  /** Adds the checks that a root needs later, so that they are read with those of the roots. */
  collectChecks(root: RootNode, pendingChecks: PendingChecks): void
  /** Validates the call. `visibleRoots` are the roots without those that the viewer may not see. */
  validate(visibleRoots: readonly (RootNode | undefined)[]): Awaitable<TValidated>
}

/**
 * Leaves out the roots that the viewer may not see, and validates the call: before any checks are read if the
 * roots need none, else right after them. It reads checks at most once.
 */
export function* validateVisibleRoots<TValidated extends object>(
  query: Query,
  foundRoots: readonly (RootNode | undefined)[],
  { collectChecks, validate }: RootValidation<TValidated>,
): Course<TValidated> {
  const { policyEvaluator, engine } = query
  const pendingChecks: PendingChecks = []
  const isAllowed = ({ record }: RootNode): boolean | undefined =>
    policyEvaluator.allows(engine.registry.getType(record.type)?.policy, record, pendingChecks)
  const possiblyVisible = foundRoots.map(root =>
    root === undefined || isAllowed(root) === false ? undefined : root,
  )
  const needsNoChecks = pendingChecks.length === 0
  const earlyResult = needsNoChecks ? validate(possiblyVisible) : undefined
  const validated =
    earlyResult !== undefined && isPromiseLike(earlyResult) ? yield* waitFor(earlyResult) : earlyResult
  for (const root of possiblyVisible) if (root !== undefined) collectChecks(root, pendingChecks)
  yield* policyEvaluator.readChecks(pendingChecks)
  if (validated !== undefined) return validated
  const result = validate(
    possiblyVisible.map(root => (root !== undefined && isAllowed(root) === true ? root : undefined)),
  )
  return isPromiseLike(result) ? yield* waitFor(result) : result
}

/**
 * Returns the roots in the order of the ids.
 *
 * @throws GraphError `node_not_found` or `viewer_required` for the first missing one.
 */
export const requireRoots = (
  query: Query,
  ids: readonly string[],
  isMultiId: boolean,
  roots: readonly (RootNode | undefined)[],
): RootNode[] => {
  const presentRoots: RootNode[] = []
  ids.forEach((id, index) => {
    reportIfPartial(query, isMultiId, () => {
      const root = roots[index]
      if (root === undefined) throw rootNotFoundError(query, id)
      presentRoots.push(root)
    })
  })
  return presentRoots
}

/**
 * Runs a function. With `partial` and several ids, its error is reported as a message, and undefined is
 * returned.
 */
export const reportIfPartial = <TResult>(
  query: Query,
  isMultiId: boolean,
  run: () => TResult,
): TResult | undefined => {
  try {
    return run()
  } catch (error) {
    if (!isMultiId || query.call.partial !== true || !isGraphError(error)) throw error
    query.debugMessages.addWarning(error.message)
    return undefined
  }
}

/** Adds the debug messages to a result if the call has `debug`, or if there are any. */
export const withDebugMessages = <TResult extends object>(query: Query, result: TResult): TResult => {
  const messages = query.debugMessages.listMasked(query.engine.masking)
  if (query.call.debug !== 'all' && messages.length === 0) return result
  return Object.assign(result, { __debug__: { messages } })
}
