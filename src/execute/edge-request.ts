import { invalidParameterError } from '../base/errors.ts'
import { isEncryptedCursor } from '../core/cursor.ts'
import type { GetEdgeOptions, HandlerReadOptions, PageOptions } from '../interface/read-options.ts'
import { readLimit, readSummary } from '../plan/arguments.ts'
import { hasIds } from '../plan/edge-parameters.ts'
import { DEFAULT_PAGE_SIZE } from '../plan/limits.ts'
import { printLinkQuery } from '../plan/link-query.ts'
import type { GivenValue } from '../plan/parameter-values.ts'
import type { Plan } from '../plan/plan.ts'
import type { ParsedFields } from '../plan/planner.ts'
import type { LinkParameter, Window } from '../plan/window.ts'
import { bindParameters } from '../read/parameters.ts'
import { parseWindow } from '../read/windows.ts'
import { chooseEdgeReadModes, type EdgeReadMode, type EdgeReadModes } from './edge-read-modes.ts'
import type { Query, QueryContext } from './query.ts'
import { parseIds, type RootId } from './root-nodes.ts'
import type { EarlyValidation } from './validate-query.ts'

/** The unvalidated input of a call that reads one edge of one or several nodes. */
export type EdgeRequestInput = {
  readonly ids: readonly string[]
  readonly type: string | undefined
  readonly edge: string
  readonly limit: unknown
  readonly order: unknown
  readonly summary: unknown
  /** The values of the edge's parameters by name. */
  readonly parameters: ReadonlyMap<string, GivenValue>
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
  parameters: ReadonlyMap<string, GivenValue>,
): EdgeRequestInput => {
  const { type, edge, limit, after, before, order, summary } = call
  const since = copyDate(call.since)
  const until = copyDate(call.until)
  return { ids, type, edge, limit, after, before, since, until, order, summary, parameters, isMultiId }
}

/**
 * The maximum number of entries that are read together with their sources, and of rows that the store examines for
 * them. If a source does not exist or is hidden, they are read but not charged, and take time.
 */
export const MAX_ENTRIES_READ_AHEAD = 2500

/** The validation of a call before its sources are read. They have one type, or are not returned. */
export type EarlySources = {
  readonly type: string
  readonly validation: EarlyValidation
  /** The plan of the entries, or `undefined` if it could not be made. */
  readonly plan: Plan | undefined
}

/** The validated input of a read of one edge. */
export type EdgeRequest = EdgeReadModes & {
  readonly ids: readonly RootId[]
  readonly parsedFields: ParsedFields
  /** The plan of the entries, if it was made before the sources were read. `source` is the type of the sources. */
  earlyPlan: { readonly source: string; readonly plan: Plan } | undefined
  /** The validation before the sources were read, if there was one. */
  early: EarlySources | undefined
  readonly limit: number
  readonly summary: boolean
  /**
   * Whether the window requires the session, because the cursor is encrypted or signed, or because a parameter is
   * an id.
   */
  readonly windowNeedsSession: boolean
  /**
   * Returns the window of the lists that are read in a mode. The context may be undefined if the cursor does
   * not need the session.
   *
   * @throws GraphError `invalid_parameter` for an invalid cursor or date.
   */
  windowFor(mode: EdgeReadMode, context: QueryContext | undefined): Window
}

/**
 * Returns the mode in which the lists are read, if it is the same for all types that have the edge. In this
 * case, the ranges can be read together with the sources. Returns `undefined` if the modes differ, if no type
 * has the edge, or if the call requests more entries than may be read ahead.
 */
export const assumedModeOf = ({ ids, limit, modes, errors }: EdgeRequest): EdgeReadMode | undefined => {
  const [assumedMode, ...otherModes] = new Set(modes.values())
  const isComputed = assumedMode?.edgeList.computation !== undefined
  const isUncertain = otherModes.length > 0 || errors.size > 0 || isComputed
  return isUncertain || ids.length * limit > MAX_ENTRIES_READ_AHEAD ? undefined : assumedMode
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
  const createLinkQuery = (pageParameters: readonly LinkParameter[]): string =>
    printLinkQuery(engine.planner.toExpression(parsedFields), [
      ...createLinkParameters(query),
      ...pageParameters,
    ])
  let lastParsed: { readonly mode: EdgeReadMode; readonly window: Window } | undefined
  return (mode, context) => {
    if (lastParsed?.mode !== mode) {
      const { edgeList, appScoped } = mode
      const parameters = bindParameters(mode.parameters, mode.values, context)
      const list = { edgeList, appScoped, parameters }
      lastParsed = { mode, window: parseWindow(input, list, context, createLinkQuery) }
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
  const cursor = input.after ?? input.before
  if (input.after !== undefined && input.before !== undefined) {
    throw invalidParameterError('before', 'left out if "after" is given', 'both')
  }
  const { modes, errors } = chooseEdgeReadModes(engine, input, input.order)
  const allModes = [...modes.values()]
  const cursorNeedsSession =
    cursor !== undefined && (isEncryptedCursor(cursor) || allModes.some(({ appScoped }) => appScoped))
  return {
    ids,
    parsedFields,
    earlyPlan: undefined,
    early: undefined,
    limit,
    summary,
    modes,
    errors,
    windowNeedsSession: cursorNeedsSession || allModes.some(({ parameters }) => hasIds(parameters)),
    windowFor: createWindowParser(query, parsedFields),
  }
}
