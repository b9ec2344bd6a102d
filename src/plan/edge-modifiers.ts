import { describe } from '../base/describe.ts'
import { badParameter } from '../base/faults.ts'
import { textOf } from '../fields/argument.ts'
import type { FieldExpression, FieldItem } from '../fields/expression.ts'
import type { EdgeOrder } from '../schema/edge.ts'
import { readLimit, readOrder, readSummary } from './arguments.ts'
import { DEFAULT_PAGE } from './limits.ts'
import { linkQuery, openWindow, shortKept } from './link-query.ts'
import type { BoundWindow, LinkParameter, Window } from './plan.ts'
import { hasSlots } from './slots.ts'

/** The modifiers that an edge takes. */
export const EDGE_MODIFIERS = ['limit', 'after', 'before', 'since', 'until', 'order', 'summary', 'as']

/** What the modifiers of an item say of each edge that it is asked of. */
export type EdgeAsked = {
  readonly limit: number
  /** Undefined: the edge's own. */
  readonly order: EdgeOrder | undefined
  readonly summary: boolean
  /** What links carry of it. */
  readonly parameters: readonly LinkParameter[]
  /** Undefined where no value of the item, or of those below, is in a slot. */
  readonly slots: BoundWindow['slots'] | undefined
}

const argumentOf = ({ modifiers }: FieldItem, name: string): string | undefined => {
  for (const modifier of modifiers) if (modifier.name === name) return modifier.argument
  return undefined
}

const slotOf = (item: FieldItem, name: string): number | undefined => {
  const argument = argumentOf(item, name)
  return argument === undefined ? undefined : Number(argument)
}

const slotsOf = (item: FieldItem): BoundWindow['slots'] => ({
  after: slotOf(item, 'after'),
  before: slotOf(item, 'before'),
  since: slotOf(item, 'since'),
  until: slotOf(item, 'until'),
})

const assertModifiers = (item: FieldItem): void => {
  const { name, modifiers } = item
  const unknown = modifiers.find(modifier => !EDGE_MODIFIERS.includes(modifier.name))
  if (unknown !== undefined) {
    throw badParameter(unknown.name, `one of ${EDGE_MODIFIERS.join(', ')} on ${name}`, describe(unknown.name))
  }
  if (argumentOf(item, 'after') !== undefined && argumentOf(item, 'before') !== undefined) {
    throw badParameter('before', `after or before on ${name}, not both`, 'both')
  }
}

/** @throws GraphError `bad_parameter` for an unknown modifier or a value that it cannot have. */
export const readEdgeModifiers = (item: FieldItem, largestPage: number): EdgeAsked => {
  assertModifiers(item)
  const limit = argumentOf(item, 'limit')
  const order = argumentOf(item, 'order')
  const summarized = argumentOf(item, 'summary')
  const summary = summarized !== undefined && readSummary(summarized)
  const parameters: LinkParameter[] = []
  if (limit !== undefined) parameters.push(['limit', textOf(limit)])
  if (order !== undefined) parameters.push(['order', textOf(order)])
  if (summarized !== undefined) parameters.push(['summary', textOf(summarized)])
  return {
    limit: limit === undefined ? Math.min(DEFAULT_PAGE, largestPage) : readLimit(limit, largestPage, summary),
    order: order === undefined ? undefined : readOrder(textOf(order)),
    summary,
    parameters,
    slots: hasSlots(item) ? slotsOf(item) : undefined,
  }
}

/** The window of an item on one edge; `fields` are those that its links carry. */
export const windowOf = (
  item: FieldItem,
  { parameters, slots }: EdgeAsked,
  fields: () => FieldExpression | undefined,
  order: EdgeOrder,
  appScoped: boolean,
): Window | BoundWindow => {
  if (slots === undefined) return openWindow(shortKept(() => linkQuery(fields(), parameters)))
  return { item, edge: item.name, order, appScoped, slots, parameters, fields }
}
