import { isPublicId } from '../access/app-ids/app-ids.ts'
import { assertId, viewerRequiredError } from '../access/requested-ids.ts'
import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import { GraphError, isGraphError } from '../base/errors.ts'
import type { NodeId } from '../base/ids.ts'
import { type ReadTask, waitFor } from '../core/batching.ts'
import type { PendingChecks } from '../policy/edge-checks.ts'
import { ROOT_TYPE } from '../schema/collection.ts'
import type { NodeRecord } from '../store/contract.ts'
import { ROOT_ID } from '../store/derived-entries.ts'
import type { Engine } from './engine.ts'
import type { Query, QueryContext } from './query.ts'

/**
 * Creates the error for a node that is not returned. The message is the same for all causes, so that it does
 * not reveal the cause. Clients match its first words.
 */
export const nodeNotFoundError = (id: string, firstWords = 'Unsupported get request'): GraphError =>
  new GraphError(
    'node_not_found',
    `${firstWords}. The node ${id} does not exist, is not visible, or is not of the requested type`,
    { id },
  )

/** Creates the error for a root that is not returned. */
export const rootNotFoundError = ({ session }: QueryContext, id: string, firstWords?: string): GraphError =>
  id === 'me' && session.viewer === undefined ? viewerRequiredError() : nodeNotFoundError(id, firstWords)

/** A requested id and its stored id. */
export type RootId = {
  readonly requestedId: string
  /**
   * Undefined until the id is resolved. It stays undefined for `me` without a viewer, for an app-scoped id that
   * is not valid, and for an id with a prefix that no type has.
   */
  rawId: NodeId | undefined
}

/** Validates a requested id. @throws GraphError `invalid_parameter`. */
export const parseId = (
  { appIds, registry }: Engine,
  parameter: 'id' | 'target',
  requestedId: string,
): RootId => {
  const isRoot = parameter === 'id' && requestedId === ROOT_ID && registry.getType(ROOT_TYPE) !== undefined
  if (!isRoot) assertId(parameter, requestedId, registry.ids.kind, appIds !== undefined)
  return { requestedId, rawId: undefined }
}

/** Creates the error for a call with too many ids. */
export const tooManyIdsError = (limit: number, received: number): GraphError =>
  new GraphError('too_many_ids', `(#100) Too many IDs. Maximum: ${limit}. Provided: ${received}.`, {
    limit,
    received,
  })

/**
 * Validates the requested ids. With `partial`, an invalid id is reported as a message and left out.
 *
 * @throws GraphError `invalid_parameter` for an invalid id, `too_many_ids`.
 */
export const parseIds = (query: Query, ids: readonly string[], isMultiId: boolean): readonly RootId[] => {
  const { engine } = query
  const maxIds = engine.limits.ids
  if (ids.length > maxIds) throw tooManyIdsError(maxIds, ids.length)
  return ids.flatMap(id => reportIfPartial(query, isMultiId, () => parseId(engine, 'id', id)) ?? [])
}

/**
 * Sets the stored id of a requested id. `me` and app-scoped ids depend on the session. For such an id,
 * returns false if there is no context.
 */
export const resolveId = ({ registry }: Engine, id: RootId, context: QueryContext | undefined): boolean => {
  const { requestedId } = id
  if (requestedId !== 'me' && !isPublicId(requestedId))
    id.rawId = registry.ids.mayExist(requestedId) ? requestedId : undefined
  else if (context === undefined) return false
  else id.rawId = requestedId === 'me' ? context.session.viewer : context.idMapper?.toRaw(requestedId)
  return true
}

/**
 * Resolves ids and returns their stored ids. Ids without a stored id are skipped. Returns `undefined` if an
 * id depends on the session and there is no context.
 */
export const resolveIds = (
  engine: Engine,
  ids: readonly RootId[],
  context: QueryContext | undefined,
): NodeId[] | undefined =>
  ids.every(id => resolveId(engine, id, context)) ? ids.flatMap(({ rawId }) => rawId ?? []) : undefined

/**
 * @throws GraphError `viewer_required` for `me` without a viewer. With `partial`, the error is reported as a
 * message.
 */
export const assertViewer = (
  { query, session }: QueryContext,
  ids: readonly RootId[],
  isMultiId: boolean,
): void => {
  reportIfPartial(query, isMultiId, () => {
    if (session.viewer === undefined && ids.some(({ requestedId }) => requestedId === 'me'))
      throw viewerRequiredError()
  })
}

/**
 * Returns the result of each requested id, or `undefined` for an id without a stored id, which was not read.
 */
export const alignToIds = <TRead>(
  ids: readonly RootId[],
  results: readonly TRead[],
): (TRead | undefined)[] => {
  let nextIndex = 0
  return ids.map(({ rawId }) => (rawId === undefined ? undefined : results[nextIndex++]))
}

/**
 * Whether a record may be a root. Its type must be declared, and must be the requested type, if one is
 * requested. For `me`, the type must be a viewer type. The requested id must be of the kind (raw or
 * app-scoped) that the type uses.
 */
export const matchesRequest = (
  { registry, appIds }: Engine,
  id: string,
  type: string | undefined,
  record: NodeRecord,
): boolean => {
  const nodeType = registry.getType(record.type)
  if (nodeType === undefined || (type !== undefined && record.type !== type)) return false
  if (id === 'me') return registry.schema.viewers.includes(record.type)
  return isPublicId(id) === (nodeType.appScoped && appIds !== undefined)
}

/** A requested node, with the id that was requested. */
export type RootNode = { readonly id: string; readonly record: NodeRecord }

/** Returns the root of each id, or `undefined` if no record was found or the record may not be a root. */
export const findRoots = (
  engine: Engine,
  ids: readonly RootId[],
  type: string | undefined,
  readRecords: readonly (NodeRecord | undefined)[],
): (RootNode | undefined)[] => {
  const records = alignToIds(ids, readRecords)
  return ids.map(({ requestedId: id }, index) => {
    const record = records[index]
    return record !== undefined && matchesRequest(engine, id, type, record) ? { id, record } : undefined
  })
}

/** The callbacks of `validateVisibleRoots`. */
type RootValidation<TValidated extends object> = {
  /** Adds the checks that a root needs later, so that they are read together with the checks of the roots. */
  collectChecks(root: RootNode, pendingChecks: PendingChecks): void
  /**
   * Validates the call. `visibleRoots` contains `undefined` in place of roots that the viewer may not see.
   */
  validate(visibleRoots: readonly (RootNode | undefined)[]): Awaitable<TValidated>
}

/**
 * Leaves out the roots that the viewer may not see, and validates the call. If the policies of the roots need
 * no checks, the call is validated before the only read of checks. Otherwise, the call is validated after
 * this read.
 */
export function* validateVisibleRoots<TValidated extends object>(
  { policyEvaluator, query: { engine } }: QueryContext,
  foundRoots: readonly (RootNode | undefined)[],
  { collectChecks, validate }: RootValidation<TValidated>,
): ReadTask<TValidated> {
  const pendingChecks: PendingChecks = []
  const isAllowed = ({ record }: RootNode): boolean | undefined =>
    policyEvaluator.allows(engine.registry.policyOf(record.type), record, pendingChecks)
  const possiblyVisible = foundRoots.map(root =>
    root === undefined || isAllowed(root) === false ? undefined : root,
  )
  const early = pendingChecks.length === 0 ? validate(possiblyVisible) : undefined
  const validated = early !== undefined && isPromiseLike(early) ? yield* waitFor(early) : early
  for (const root of possiblyVisible) if (root !== undefined) collectChecks(root, pendingChecks)
  yield* policyEvaluator.readChecks(pendingChecks)
  if (validated !== undefined) return validated
  const late = validate(
    possiblyVisible.map(root => (root !== undefined && isAllowed(root) === true ? root : undefined)),
  )
  return isPromiseLike(late) ? yield* waitFor(late) : late
}

/**
 * Returns the roots in the order of the ids.
 *
 * @throws GraphError `node_not_found` or `viewer_required` for the first missing root.
 */
export const requireRoots = (
  context: QueryContext,
  ids: readonly RootId[],
  isMultiId: boolean,
  roots: readonly (RootNode | undefined)[],
): RootNode[] =>
  ids.flatMap(
    ({ requestedId }, index) =>
      reportIfPartial(context.query, isMultiId, () => {
        const root = roots[index]
        if (root === undefined) throw rootNotFoundError(context, requestedId)
        return root
      }) ?? [],
  )

/**
 * Runs a function. If the function throws a `GraphError` and the call has `partial` and several ids, reports
 * the error as a message and returns `undefined`.
 */
export const reportIfPartial = <TResult>(
  { call, debugMessages }: Query,
  isMultiId: boolean,
  run: () => TResult,
): TResult | undefined => {
  try {
    return run()
  } catch (error) {
    if (!isMultiId || call.partial !== true || !isGraphError(error)) throw error
    debugMessages.addWarning(error.message)
    return undefined
  }
}
