import { describeValue } from '../base/describe.ts'
import { invalidParameterError } from '../base/errors.ts'
import type { FieldExpression, FieldItem } from '../fields/expression.ts'
import { unquoteArgument } from '../fields/parse.ts'
import type { EdgeOrder } from '../schema/edge.ts'
import { readLimit, readOrder, readSummary } from './arguments.ts'
import { DEFAULT_PAGE_SIZE } from './limits.ts'
import { createFirstPageWindow, memoizeIfShort, printLinkQuery } from './link-query.ts'
import type { LinkParameter, Window, WindowTemplate } from './plan.ts'
import { hasSlots } from './slots.ts'

/** The modifiers of an edge. */
const EDGE_MODIFIERS = ['limit', 'after', 'before', 'since', 'until', 'order', 'summary', 'as']

/** The parsed modifiers of an item. They apply to each edge with the name of the item. */
export type EdgeModifiers = {
  readonly limit: number
  /** The requested order, or `undefined` to use the order of the edge. */
  readonly order: EdgeOrder | undefined
  readonly summary: boolean
  /** The parameters of the links of the pages. */
  readonly linkParameters: readonly LinkParameter[]
  /** The slots of the window, or `undefined` if neither the item nor any item below it has a slot. */
  readonly slots: WindowTemplate['slots'] | undefined
}

const argumentOf = ({ modifiers }: FieldItem, name: string): string | undefined => {
  for (const modifier of modifiers) if (modifier.name === name) return modifier.argument
  return undefined
}

const readSlot = (item: FieldItem, name: string): number | undefined => {
  const argument = argumentOf(item, name)
  return argument === undefined ? undefined : Number(argument)
}

const readSlots = (item: FieldItem): WindowTemplate['slots'] => ({
  after: readSlot(item, 'after'),
  before: readSlot(item, 'before'),
  since: readSlot(item, 'since'),
  until: readSlot(item, 'until'),
})

const assertModifiers = (item: FieldItem): void => {
  const { name, modifiers } = item
  const unknownModifier = modifiers.find(modifier => !EDGE_MODIFIERS.includes(modifier.name))
  if (unknownModifier !== undefined) {
    throw invalidParameterError(
      unknownModifier.name,
      `a modifier of ${name}: ${EDGE_MODIFIERS.join(', ')}`,
      describeValue(unknownModifier.name),
    )
  }
  if (argumentOf(item, 'after') !== undefined && argumentOf(item, 'before') !== undefined) {
    throw invalidParameterError('before', `left out if ${name} has "after"`, 'both')
  }
}

/**
 * Parses the modifiers of an edge.
 *
 * @throws GraphError `invalid_parameter` for an unknown modifier or an invalid value.
 */
export const readEdgeModifiers = (item: FieldItem, maxPageSize: number): EdgeModifiers => {
  assertModifiers(item)
  const limitArgument = argumentOf(item, 'limit')
  const orderArgument = argumentOf(item, 'order')
  const summaryArgument = argumentOf(item, 'summary')
  const summary = summaryArgument !== undefined && readSummary(summaryArgument)
  const linkParameters: LinkParameter[] = []
  if (limitArgument !== undefined) linkParameters.push(['limit', unquoteArgument(limitArgument)])
  if (orderArgument !== undefined) linkParameters.push(['order', unquoteArgument(orderArgument)])
  if (summaryArgument !== undefined) linkParameters.push(['summary', unquoteArgument(summaryArgument)])
  return {
    limit:
      limitArgument === undefined
        ? Math.min(DEFAULT_PAGE_SIZE, maxPageSize)
        : readLimit(limitArgument, maxPageSize, summary),
    order: orderArgument === undefined ? undefined : readOrder(unquoteArgument(orderArgument)),
    summary,
    linkParameters,
    slots: hasSlots(item) ? readSlots(item) : undefined,
  }
}

/**
 * Creates the window of an item for one edge. `getLinkFields` returns the fields for the links of the pages.
 */
export const createWindow = (
  item: FieldItem,
  { linkParameters, slots }: EdgeModifiers,
  getLinkFields: () => FieldExpression | undefined,
  order: EdgeOrder,
  appScoped: boolean,
): Window | WindowTemplate => {
  if (slots === undefined)
    return createFirstPageWindow(memoizeIfShort(() => printLinkQuery(getLinkFields(), linkParameters)))
  return { item, edge: item.name, order, appScoped, slots, linkParameters, getLinkFields }
}
