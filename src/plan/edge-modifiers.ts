import { describe } from '../base/describe.ts'
import { badParameter } from '../base/faults.ts'
import { textOf } from '../fields/argument.ts'
import type { FieldExpression, FieldItem } from '../fields/expression.ts'
import type { EdgeOrder, EdgeType } from '../schema/edge.ts'
import { readLimit, readOrder, readSummary } from './arguments.ts'
import { DEFAULT_PAGE } from './limits.ts'
import { lazily, linkQuery, openWindow } from './link-query.ts'
import type { BoundWindow, LinkParameter, Window } from './plan.ts'
import { hasSlots } from './slots.ts'

/** The modifiers that an edge takes. */
export const EDGE_MODIFIERS = ['limit', 'after', 'before', 'since', 'until', 'order', 'summary', 'as']

/** What the modifiers of an edge say, cursors and times apart. */
export type EdgeShape = { readonly limit: number; readonly order: EdgeOrder; readonly summary: boolean }

const NO_ARGUMENTS: ReadonlyMap<string, string> = new Map()

const argumentsOf = ({ modifiers }: FieldItem): ReadonlyMap<string, string> =>
  modifiers.length === 0 ? NO_ARGUMENTS : new Map(modifiers.map(({ name, argument }) => [name, argument]))

/** @throws GraphError `bad_parameter` for an unknown modifier or a value that it cannot have. */
export const readEdgeModifiers = (item: FieldItem, edge: EdgeType, largestPage: number): EdgeShape => {
  const given = argumentsOf(item)
  const unknown = item.modifiers.find(modifier => !EDGE_MODIFIERS.includes(modifier.name))
  if (unknown !== undefined) {
    throw badParameter(
      unknown.name,
      `one of ${EDGE_MODIFIERS.join(', ')} on ${item.name}`,
      describe(unknown.name),
    )
  }
  if (given.has('after') && given.has('before')) {
    throw badParameter('before', `after or before on ${item.name}, not both`, 'both')
  }
  const limit = given.get('limit')
  const order = given.get('order')
  const summary = given.get('summary')
  return {
    limit: limit === undefined ? Math.min(DEFAULT_PAGE, largestPage) : readLimit(limit, largestPage),
    order: order === undefined ? edge.order : readOrder(textOf(order)),
    summary: summary !== undefined && readSummary(summary),
  }
}

const LINKED = ['limit', 'order', 'summary']

/** Beside `windowOf`, whose closures stay with the plan and would keep the arguments as well. */
const slotIn = (given: ReadonlyMap<string, string>, name: string): number | undefined =>
  given.has(name) ? Number(given.get(name)) : undefined

/** The window of an item whose values are slots; `fields` are those that its links carry. */
export const windowOf = (
  item: FieldItem,
  fields: () => FieldExpression | undefined,
  order: EdgeOrder,
  appScoped: boolean,
): Window | BoundWindow => {
  const given = argumentsOf(item)
  const parameters: LinkParameter[] = []
  for (const name of LINKED) {
    const value = given.get(name)
    if (value !== undefined) parameters.push([name, textOf(value)])
  }
  if (!hasSlots(item)) return openWindow(lazily(() => linkQuery(fields(), parameters)))
  const slots = {
    after: slotIn(given, 'after'),
    before: slotIn(given, 'before'),
    since: slotIn(given, 'since'),
    until: slotIn(given, 'until'),
  }
  return { item, edge: item.name, order, appScoped, slots, parameters, fields }
}
