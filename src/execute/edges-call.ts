import { badParameter } from '../base/faults.ts'
import { readLimit, readOrder, readSummary } from '../plan/arguments.ts'
import { DEFAULT_PAGE } from '../plan/limits.ts'
import { linkQuery } from '../plan/link-query.ts'
import type { LinkParameter, Window } from '../plan/plan.ts'
import type { Asked } from '../plan/planner.ts'
import type { EdgeOrder, EdgeType } from '../schema/edge.ts'
import type { Call } from './call.ts'
import type { PageOptions } from './call-options.ts'
import { isSealed } from './cursor.ts'
import type { Engine } from './engine.ts'
import type { Query } from './query.ts'
import { judgeIds } from './roots.ts'
import { readWindow } from './window.ts'

/** What is asked of the edges of one name of some nodes. */
export type EdgesInput = {
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
  /** Whether an id at fault may be left out under `partial`. */
  readonly several: boolean
}

/** What the reads of one edge take beside the source. */
export type EdgeCall = Call & PageOptions & { readonly type?: string | undefined; readonly edge: string }

/** A date as it is when the call is made: its caller may go on to change it. */
const asOfNow = (time: unknown): unknown => (time instanceof Date ? new Date(time) : time)

/** The part of a call that says which pages are asked. */
export const edgesInput = (
  call: Pick<EdgeCall, 'type' | 'edge'> & { readonly [name in keyof PageOptions]?: unknown },
  ids: readonly string[],
  several: boolean,
): EdgesInput => {
  const { type, edge, limit, after, before, order, summary } = call
  const since = asOfNow(call.since)
  const until = asOfNow(call.until)
  return { ids, type, edge, limit, after, before, since, until, order, summary, several }
}

/** Entries that are read ahead of their sources at the most: of sources that turn out to be missing, they cost nothing. */
const MOST_AHEAD = 2500

/** What the text of the call decides. */
export type EdgesCall = {
  /** The ids that can be looked for. */
  readonly ids: readonly string[]
  readonly asked: Asked
  readonly limit: number
  readonly summary: boolean
  /** The order asked for; undefined leaves it to the edge. */
  readonly order: EdgeOrder | undefined
  /** How the lists are read, where that does not depend on the types of the sources. */
  readonly presumed: Manner | undefined
  /** @throws GraphError `bad_parameter` for a cursor or a date that is none. */
  windowIn(manner: Manner): Window
}

/** How a list is read, as far as its edge decides it. */
export type Manner = {
  readonly order: EdgeOrder
  readonly isSifted: boolean
  readonly appScoped: boolean
}

/** How the lists of one edge are read; the order asked for goes before its own. */
export const mannerOf = (
  { registry, appIds }: Engine,
  edge: EdgeType,
  asked: EdgeOrder | undefined,
): Manner => ({
  order: asked ?? edge.order,
  isSifted: registry.isSifted(edge),
  appScoped: appIds !== undefined && registry.isAppScoped(edge),
})

export const isSameManner = (a: Manner, b: Manner): boolean =>
  a.order === b.order && a.isSifted === b.isSifted && a.appScoped === b.appScoped

/**
 * How the lists are read where all types that have the edge agree: then the ranges need not wait for the sources.
 * Undefined too for a name that no type has, which no store is to be asked about.
 */
const presume = (
  { engine }: Query,
  { edge, type }: EdgesInput,
  asked: EdgeOrder | undefined,
): Manner | undefined => {
  const { registry } = engine
  let presumed: Manner | undefined
  for (const holder of type === undefined ? registry.holdersOf(edge) : [type]) {
    const declared = registry.edge(holder, edge)
    if (declared === undefined) continue
    const manner = mannerOf(engine, declared, asked)
    presumed ??= manner
    if (!isSameManner(presumed, manner)) return undefined
  }
  return presumed
}

/** Whether the call has a cursor that only the session can read: a sealed one, or one that carries an app-scoped id. */
export const hasSessionCursor = (
  { engine: { registry, appIds } }: Query,
  { edge, after, before }: EdgesInput,
): boolean => {
  const cursor = after ?? before
  if (cursor === undefined || isSealed(cursor)) return cursor !== undefined
  const edges = appIds === undefined ? [] : registry.holdersOf(edge)
  return edges.some(holder => {
    const declared = registry.edge(holder, edge)
    return declared !== undefined && registry.isAppScoped(declared)
  })
}

const linkedParameters = (
  { call: { debug, partial } }: Query,
  { limit, order, summary }: EdgesInput,
): LinkParameter[] => {
  const parameters: LinkParameter[] = []
  const carry = (name: string, value: unknown): void => {
    if (value !== undefined) parameters.push([name, `${value}`])
  }
  carry('limit', limit)
  carry('order', order)
  carry('summary', summary)
  carry('debug', debug)
  carry('partial', partial)
  return parameters
}

/** Where a page is, by how its list is read: the same for the lists that are read alike. */
const windowsOf = (
  query: Query,
  input: EdgesInput,
  linked: Parameters<typeof readWindow>[3],
): EdgesCall['windowIn'] => {
  let last: { readonly manner: Manner; readonly window: Window } | undefined
  return manner => {
    if (last === undefined || !isSameManner(last.manner, manner)) {
      const { order, appScoped } = manner
      last = { manner, window: readWindow(input, { edge: input.edge, order, appScoped }, query, linked) }
    }
    return last.window
  }
}

/**
 * Checks what the text of the call decides.
 *
 * @throws GraphError `bad_parameter`, `too_many_ids`, and what the expression's text is at fault for.
 */
export const readEdgesCall = (query: Query, input: EdgesInput): EdgesCall => {
  const { planner, limits, registry } = query.engine
  const ids = judgeIds(query, input.ids, input.several)
  registry.version(query.call.version)
  const asked = planner.ask(query.call.fields)
  const summary = input.summary !== undefined && readSummary(input.summary)
  const limit =
    input.limit === undefined
      ? Math.min(DEFAULT_PAGE, limits.page)
      : readLimit(input.limit, limits.page, summary)
  const order = input.order === undefined ? undefined : readOrder(input.order)
  if (input.after !== undefined && input.before !== undefined) {
    throw badParameter('before', 'after or before, not both', 'both')
  }
  const linked = (times: readonly LinkParameter[]): string =>
    linkQuery(planner.expressionOf(asked), [...linkedParameters(query, input), ...times])
  return {
    ids,
    asked,
    limit,
    summary,
    order,
    presumed: ids.length * limit > MOST_AHEAD ? undefined : presume(query, input, order),
    windowIn: windowsOf(query, input, linked),
  }
}
