import { invalidParameterError } from '../base/errors.ts'
import { readLimit, readOrder, readSummary } from '../plan/arguments.ts'
import { DEFAULT_PAGE_SIZE } from '../plan/limits.ts'
import { printLinkQuery } from '../plan/link-query.ts'
import type { LinkParameter, Window } from '../plan/plan.ts'
import type { ParsedFields } from '../plan/planner.ts'
import type { EdgeOrder, EdgeType } from '../schema/edge.ts'
import type { Call } from './call.ts'
import type { PageOptions } from './call-options.ts'
import { isEncryptedCursor } from './cursor.ts'
import type { Engine } from './engine.ts'
import type { Query } from './query.ts'
import { validIds } from './root-nodes.ts'
import { parseWindow } from './window.ts'

/** The input of a read of one edge of some nodes, before it is validated. */
export type EdgeRequestInput = {
  readonly ids: readonly string[]
  readonly type: string | undefined
  readonly edge: string
  readonly limit: unknown
  readonly order: unknown
  readonly summary: unknown
  readonly after: unknown
  readonly before: unknown
  readonly since: unknown
  readonly until: unknown
  /** Whether the call has several ids, so that `partial` may leave out an invalid one. */
  readonly isMultiId: boolean
}

/** The options of the reads of an edge, without the ids of the sources. */
export type EdgeCall = Call & PageOptions & { readonly type?: string | undefined; readonly edge: string }

/** Copies a date, because the caller may change it during the call. */
const copyDate = (time: unknown): unknown => (time instanceof Date ? new Date(time) : time)

/** Converts the options of a call to its input. */
export const toEdgeRequestInput = (
  call: Pick<EdgeCall, 'type' | 'edge'> & { readonly [name in keyof PageOptions]?: unknown },
  ids: readonly string[],
  isMultiId: boolean,
): EdgeRequestInput => {
  const { type, edge, limit, after, before, order, summary } = call
  const since = copyDate(call.since)
  const until = copyDate(call.until)
  return { ids, type, edge, limit, after, before, since, until, order, summary, isMultiId }
}

/**
 * The maximum number of entries that are read together with their sources. They are not charged if a source
 * does not exist.
 */
const MAX_ENTRIES_READ_AHEAD = 2500

/** The validated input of a read of one edge. It depends only on the options of the call. */
export type EdgeRequest = {
  /** The valid ids. */
  readonly ids: readonly string[]
  readonly parsedFields: ParsedFields
  readonly limit: number
  readonly summary: boolean
  /** The requested order; undefined for the order of the edge. */
  readonly order: EdgeOrder | undefined
  /** The read mode of the lists; undefined if it depends on the types of the sources. */
  readonly assumedMode: EdgeReadMode | undefined
  /** @throws GraphError `invalid_parameter` for an invalid cursor or date. */
  windowFor(mode: EdgeReadMode): Window
}

/** The properties of an edge that decide how its lists are read. */
export type EdgeReadMode = {
  readonly order: EdgeOrder
  readonly isUnderPolicy: boolean
  readonly appScoped: boolean
}

/** Returns how the lists of an edge are read. A requested order takes precedence over that of the edge. */
export const chooseEdgeReadMode = (
  { registry, appIds }: Engine,
  edge: EdgeType,
  requestedOrder: EdgeOrder | undefined,
): EdgeReadMode => ({
  order: requestedOrder ?? edge.order,
  isUnderPolicy: registry.isUnderPolicy(edge),
  appScoped: appIds !== undefined && registry.isAppScoped(edge),
})

export const isSameMode = (a: EdgeReadMode, b: EdgeReadMode): boolean =>
  a.order === b.order && a.isUnderPolicy === b.isUnderPolicy && a.appScoped === b.appScoped

/**
 * Returns how the lists are read if this is the same for all types that have the edge: then the ranges can be
 * read together with the sources. Returns undefined also if no type has the edge, so that the store is not
 * read for an unknown name.
 */
const findAssumedMode = (
  { engine }: Query,
  { edge, type }: EdgeRequestInput,
  requestedOrder: EdgeOrder | undefined,
): EdgeReadMode | undefined => {
  const { registry } = engine
  let assumedMode: EdgeReadMode | undefined
  for (const sourceType of type === undefined ? registry.sourceTypesOf(edge) : [type]) {
    const edgeType = registry.getEdge(sourceType, edge)
    if (edgeType === undefined) continue
    const mode = chooseEdgeReadMode(engine, edgeType, requestedOrder)
    assumedMode ??= mode
    if (!isSameMode(assumedMode, mode)) return undefined
  }
  return assumedMode
}

/**
 * Whether the call has a cursor that needs the session to be decoded: an encrypted one, or one with an
 * app-scoped id.
 */
export const cursorNeedsSession = (
  { engine: { registry, appIds } }: Query,
  { edge, after, before }: EdgeRequestInput,
): boolean => {
  const cursor = after ?? before
  if (cursor === undefined || isEncryptedCursor(cursor)) return cursor !== undefined
  const sourceTypes = appIds === undefined ? [] : registry.sourceTypesOf(edge)
  return sourceTypes.some(sourceType => {
    const edgeType = registry.getEdge(sourceType, edge)
    return edgeType !== undefined && registry.isAppScoped(edgeType)
  })
}

const createLinkParameters = (
  { call: { debug, partial } }: Query,
  { limit, order, summary }: EdgeRequestInput,
): LinkParameter[] => {
  const parameters: LinkParameter[] = []
  const addParameter = (name: string, value: unknown): void => {
    if (value !== undefined) parameters.push([name, `${value}`])
  }
  addParameter('limit', limit)
  addParameter('order', order)
  addParameter('summary', summary)
  addParameter('debug', debug)
  addParameter('partial', partial)
  return parameters
}

/**
 * Creates a function that returns the window of a page. Lists that are read in the same way share one window.
 */
const createWindowParser = (
  query: Query,
  input: EdgeRequestInput,
  createLinkQuery: Parameters<typeof parseWindow>[3],
): EdgeRequest['windowFor'] => {
  let lastParsed: { readonly mode: EdgeReadMode; readonly window: Window } | undefined
  return mode => {
    if (lastParsed === undefined || !isSameMode(lastParsed.mode, mode)) {
      const { order, appScoped } = mode
      lastParsed = {
        mode,
        window: parseWindow(input, { edge: input.edge, order, appScoped }, query, createLinkQuery),
      }
    }
    return lastParsed.window
  }
}

/**
 * Validates everything that depends only on the options of the call.
 *
 * @throws GraphError `invalid_parameter`, `too_many_ids`, and the errors of the expression's syntax.
 */
export const parseEdgeRequest = (query: Query, input: EdgeRequestInput): EdgeRequest => {
  const { planner, limits, registry } = query.engine
  const ids = validIds(query, input.ids, input.isMultiId)
  registry.resolveVersion(query.call.version)
  const parsedFields = planner.parse(query.call.fields)
  const summary = input.summary !== undefined && readSummary(input.summary)
  const limit =
    input.limit === undefined
      ? Math.min(DEFAULT_PAGE_SIZE, limits.page)
      : readLimit(input.limit, limits.page, summary)
  const order = input.order === undefined ? undefined : readOrder(input.order)
  if (input.after !== undefined && input.before !== undefined) {
    throw invalidParameterError('before', 'left out if "after" is given', 'both')
  }
  const createLinkQuery = (timeParameters: readonly LinkParameter[]): string =>
    printLinkQuery(planner.toExpression(parsedFields), [
      ...createLinkParameters(query, input),
      ...timeParameters,
    ])
  return {
    ids,
    parsedFields,
    limit,
    summary,
    order,
    assumedMode:
      ids.length * limit > MAX_ENTRIES_READ_AHEAD ? undefined : findAssumedMode(query, input, order),
    windowFor: createWindowParser(query, input, createLinkQuery),
  }
}
