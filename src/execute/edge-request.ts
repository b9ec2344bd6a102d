import { invalidParameterError } from '../base/errors.ts'
import { isEncryptedCursor } from '../core/cursor.ts'
import type { GetEdgeOptions, HandlerReadOptions, PageOptions } from '../interface/read-options.ts'
import { readLimit, readOrder, readSummary } from '../plan/arguments.ts'
import { DEFAULT_PAGE_SIZE } from '../plan/limits.ts'
import { printLinkQuery } from '../plan/link-query.ts'
import type { LinkParameter, Window } from '../plan/plan.ts'
import type { ParsedFields } from '../plan/planner.ts'
import { parseWindow } from '../read/windows.ts'
import type { EdgeOrder } from '../schema/edge.ts'
import type { Query, QueryContext } from './query.ts'
import { parseIds, type RootId } from './root-nodes.ts'

/** The unvalidated input of a call that reads one edge of one or several nodes. */
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
  /** Whether the call accepts several ids. If so, `partial` may leave out an invalid id. */
  readonly isMultiId: boolean
}

/** The options that select the page of an edge. The page options are not validated yet. */
type EdgeOptions = Pick<HandlerReadOptions<GetEdgeOptions>, 'type' | 'edge' | keyof PageOptions>

/** Copies a date, because the caller may change it during the call. */
const copyDate = (time: unknown): unknown => (time instanceof Date ? new Date(time) : time)

/** Converts the options of a call to the input of the read. */
export const toEdgeRequestInput = (
  call: EdgeOptions,
  ids: readonly string[],
  isMultiId: boolean,
): EdgeRequestInput => {
  const { type, edge, limit, after, before, order, summary } = call
  const since = copyDate(call.since)
  const until = copyDate(call.until)
  return { ids, type, edge, limit, after, before, since, until, order, summary, isMultiId }
}

/**
 * The maximum number of entries that are read together with their sources. If a source does not exist, its
 * entries are read but not charged.
 */
const MAX_ENTRIES_READ_AHEAD = 2500

/** The properties of an edge that decide how its lists are read. */
export type EdgeReadMode = {
  readonly order: EdgeOrder
  readonly isUnderPolicy: boolean
  readonly appScoped: boolean
}

/** The validated input of a read of one edge. */
export type EdgeRequest = {
  readonly ids: readonly RootId[]
  readonly parsedFields: ParsedFields
  readonly limit: number
  readonly summary: boolean
  /** The mode in which the lists are read, by the type of their sources. Equal modes are the same object. */
  readonly modes: ReadonlyMap<string, EdgeReadMode>
  /**
   * Whether decoding the cursor requires the session, because the cursor is encrypted or contains an
   * app-scoped id.
   */
  readonly cursorNeedsSession: boolean
  /**
   * Returns the window of the lists that are read in a mode. The context may be undefined if the cursor does
   * not need the session.
   *
   * @throws GraphError `invalid_parameter` for an invalid cursor or date.
   */
  windowFor(mode: EdgeReadMode, context: QueryContext | undefined): Window
}

/**
 * Chooses the mode in which the lists of an edge are read, for each type that may have the edge. A requested
 * order takes precedence over the order of the edge.
 */
const chooseEdgeReadModes = (
  { registry, appIds }: Query['engine'],
  { edge, type }: EdgeRequestInput,
  requestedOrder: EdgeOrder | undefined,
): Map<string, EdgeReadMode> => {
  const modes = new Map<string, EdgeReadMode>()
  for (const sourceType of type === undefined ? registry.sourceTypesOf(edge) : [type]) {
    const edgeType = registry.getEdge(sourceType, edge)
    if (edgeType === undefined) continue
    const order = requestedOrder ?? edgeType.order
    const isUnderPolicy = registry.isUnderPolicy(edgeType)
    const appScoped = appIds !== undefined && registry.isAppScoped(edgeType)
    const sameMode = [...modes.values()].find(
      mode => mode.order === order && mode.isUnderPolicy === isUnderPolicy && mode.appScoped === appScoped,
    )
    modes.set(sourceType, sameMode ?? { order, isUnderPolicy, appScoped })
  }
  return modes
}

/**
 * Returns the mode in which the lists are read, if it is the same for all types that have the edge. In this
 * case, the ranges can be read together with the sources. Returns `undefined` if the modes differ, if no type
 * has the edge, or if the call requests more entries than may be read ahead.
 */
export const assumedModeOf = ({ ids, limit, modes }: EdgeRequest): EdgeReadMode | undefined => {
  const [assumedMode, ...otherModes] = new Set(modes.values())
  return otherModes.length > 0 || ids.length * limit > MAX_ENTRIES_READ_AHEAD ? undefined : assumedMode
}

const createLinkParameters = ({
  call: { debug, partial },
  input: { limit, order, summary },
}: Query<EdgeRequestInput>): LinkParameter[] => {
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
 * Creates a function that returns the window of a page. Lists that are read in the same mode share a window.
 */
const createWindowParser = (
  query: Query<EdgeRequestInput>,
  parsedFields: ParsedFields,
): EdgeRequest['windowFor'] => {
  const { engine, input } = query
  const createLinkQuery = (timeParameters: readonly LinkParameter[]): string =>
    printLinkQuery(engine.planner.toExpression(parsedFields), [
      ...createLinkParameters(query),
      ...timeParameters,
    ])
  let lastParsed: { readonly mode: EdgeReadMode; readonly window: Window } | undefined
  return (mode, context) => {
    if (lastParsed?.mode !== mode) {
      const { order, appScoped } = mode
      const binding = { edge: input.edge, order, appScoped }
      lastParsed = { mode, window: parseWindow(input, binding, context, createLinkQuery) }
    }
    return lastParsed.window
  }
}

/**
 * Validates everything that depends only on the options of the call.
 *
 * @throws GraphError `invalid_parameter`, `too_many_ids`, or an error about the syntax of the expression.
 */
export const parseEdgeRequest = (query: Query<EdgeRequestInput>): EdgeRequest => {
  const { engine, call, input } = query
  const { planner, limits, registry } = engine
  const ids = parseIds(query, input.ids, input.isMultiId)
  registry.resolveVersion(call.version)
  const parsedFields = planner.parse(call.fields)
  const summary = input.summary !== undefined && readSummary(input.summary)
  const limit =
    input.limit === undefined
      ? Math.min(DEFAULT_PAGE_SIZE, limits.page)
      : readLimit(input.limit, limits.page, summary)
  const order = input.order === undefined ? undefined : readOrder(input.order)
  const cursor = input.after ?? input.before
  if (input.after !== undefined && input.before !== undefined) {
    throw invalidParameterError('before', 'left out if "after" is given', 'both')
  }
  const modes = chooseEdgeReadModes(engine, input, order)
  return {
    ids,
    parsedFields,
    limit,
    summary,
    modes,
    cursorNeedsSession:
      cursor !== undefined &&
      (isEncryptedCursor(cursor) || [...modes.values()].some(({ appScoped }) => appScoped)),
    windowFor: createWindowParser(query, parsedFields),
  }
}
