import { badParameter } from '../base/faults.ts'
import { readLimit, readOrder, readSummary } from '../plan/arguments.ts'
import { DEFAULT_PAGE } from '../plan/limits.ts'
import { linkQuery } from '../plan/link-query.ts'
import type { LinkParameter, Window } from '../plan/plan.ts'
import type { Asked } from '../plan/planner.ts'
import type { EdgeOrder } from '../schema/edge.ts'
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

/** What the text of the call decides. */
export type EdgesCall = {
  /** The ids that can be looked for. */
  readonly ids: readonly string[]
  readonly asked: Asked
  readonly limit: number
  readonly summary: boolean
  /** The order asked for; undefined leaves it to the edge. */
  readonly order: EdgeOrder | undefined
  /** The order and the window of the lists, where they do not depend on the types of the sources. */
  readonly presumed: { readonly order: EdgeOrder; readonly window: Window } | undefined
  /** The window where the order is this one. */
  windowIn(order: EdgeOrder): Window
}

/**
 * The order of the lists, where it does not depend on the types of the sources: then the ranges need not wait for them.
 * Undefined too for a name that no type has, which no store is to be asked about.
 */
const orderBefore = (
  { engine: { registry } }: Query,
  { edge, type }: EdgesInput,
  asked: EdgeOrder | undefined,
): EdgeOrder | undefined => {
  const holders = type === undefined ? registry.holdersOf(edge) : [type]
  const orders = new Set(holders.map(holder => registry.edge(holder, edge)?.order))
  const [order] = orders
  if (orders.size !== 1 && asked === undefined) return undefined
  return order && (asked ?? order)
}

const linkedParameters = ({ call }: Query, input: EdgesInput): LinkParameter[] =>
  [
    ['limit', input.limit] as const,
    ['order', input.order] as const,
    ['summary', input.summary] as const,
    ['debug', call.debug] as const,
    ['partial', call.partial] as const,
  ].flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`] as const]))

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
  const limit =
    input.limit === undefined ? Math.min(DEFAULT_PAGE, limits.page) : readLimit(input.limit, limits.page)
  const order = input.order === undefined ? undefined : readOrder(input.order)
  const summary = input.summary !== undefined && readSummary(input.summary)
  if (input.after !== undefined && input.before !== undefined) {
    throw badParameter('before', 'after or before, not both', 'both')
  }
  const linked = (times: readonly LinkParameter[]): string =>
    linkQuery(planner.expressionOf(asked), [...linkedParameters(query, input), ...times])
  const windowIn = (known: EdgeOrder): Window => readWindow(input, input.edge, known, linked)
  const presumed = orderBefore(query, input, order)
  return {
    ids,
    asked,
    limit,
    summary,
    order,
    presumed: presumed && { order: presumed, window: windowIn(presumed) },
    windowIn,
  }
}
