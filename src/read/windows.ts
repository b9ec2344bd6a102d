import type { IdContext } from '../access/requested-ids.ts'
import { type CursorContext, decodeCursor } from '../core/cursor.ts'
import { positionFormOf } from '../core/list-position.ts'
import type { FieldExpression, FieldItem } from '../fields/expression.ts'
import { unquoteArgument } from '../fields/parse.ts'
import { parseTimeBoundary } from '../plan/arguments.ts'
import { assertPageOptions, parseGivenParameters } from '../plan/edge-parameters.ts'
import { createListKey, memoize, printLinkQuery } from '../plan/link-query.ts'
import type { Plan } from '../plan/plan.ts'
import { fillSlots } from '../plan/slots.ts'
import type { EdgeList, LinkParameter, Window, WindowTemplate } from '../plan/window.ts'
import { type BoundParameters, bindParameters } from './parameters.ts'

/** The parts of a call that cursors and parameters depend on. */
export type WindowContext = CursorContext & IdContext

/** The options of a call that select a page. */
type WindowInput = { readonly [name in 'after' | 'before' | 'since' | 'until']?: unknown }

const formatTime = (value: unknown): string => (value instanceof Date ? value.toISOString() : `${value}`)

const toTimeParameters = ({ since, until }: WindowInput): LinkParameter[] => {
  const timeParameters: LinkParameter[] = []
  if (since !== undefined) timeParameters.push(['since', formatTime(since)])
  if (until !== undefined) timeParameters.push(['until', formatTime(until)])
  return timeParameters
}

/** The list of a window, and the parameters that select it. */
type WindowList = {
  readonly edgeList: EdgeList
  /** Whether the edge may lead to nodes with app-scoped ids. */
  readonly appScoped: boolean
  readonly parameters: BoundParameters
}

/**
 * Parses the window of a page. `createLinkQuery` receives the edge's parameters and the time parameters, and
 * creates the query string of the page's links.
 *
 * @throws GraphError `invalid_parameter` for a cursor of another list or order, or an invalid date.
 */
export const parseWindow = (
  input: WindowInput,
  { edgeList, appScoped, parameters }: WindowList,
  cursorContext: CursorContext | undefined,
  createLinkQuery: (pageParameters: readonly LinkParameter[]) => string,
): Window => {
  const { after, before } = input
  const { values, listParameters, linkParameters } = parameters
  const listKey = createListKey(edgeList, listParameters)
  const binding = {
    edge: edgeList.name,
    order: edgeList.order.name,
    parameters: listParameters.length === 0 ? undefined : listParameters,
    listKey,
    appScoped,
    isSecret: edgeList.computation !== undefined || edgeList.order.isSecret,
    form: positionFormOf(edgeList),
    ids: edgeList.ids,
  }
  const minTime = parseTimeBoundary('since', input.since)
  const maxTime = parseTimeBoundary('until', input.until)
  const cursorParameter = after !== undefined ? 'after' : before !== undefined ? 'before' : undefined
  assertPageOptions(edgeList, input)
  const position =
    cursorParameter && decodeCursor(cursorParameter, input[cursorParameter], binding, cursorContext)
  const from = position?.from
  return {
    from: from !== undefined && 'time' in from ? from : undefined,
    resolvedFrom: from !== undefined && 'position' in from ? from.position : undefined,
    onlySource: position?.onlySource,
    cursorParameter,
    minTime,
    maxTime,
    listKey,
    parameters: values,
    createLinkQuery: memoize(() => createLinkQuery([...linkParameters, ...toTimeParameters(input)])),
  }
}

const linkFieldsOf = (template: WindowTemplate, values: readonly string[]): FieldExpression | undefined => {
  const linkFields = template.getLinkFields()
  return linkFields && fillSlots(linkFields, values, template.isSlotParameter)
}

/** Parses the window of an edge inside an expression. `values` are the slot values of the expression. */
const bindWindow = (template: WindowTemplate, values: readonly string[], context: WindowContext): Window => {
  const { edgeList, appScoped, slots, linkParameters } = template
  const valueOfSlot = (slot: number | undefined): string | undefined =>
    slot === undefined ? undefined : unquoteArgument(values[slot] ?? '')
  const input = {
    after: valueOfSlot(slots.after),
    before: valueOfSlot(slots.before),
    since: valueOfSlot(slots.since),
    until: valueOfSlot(slots.until),
  }
  const parameters = bindParameters(
    template.parameters,
    parseGivenParameters(template.parameters, values),
    context,
  )
  return parseWindow(input, { edgeList, appScoped, parameters }, context, pageParameters =>
    printLinkQuery(linkFieldsOf(template, values), [...linkParameters, ...pageParameters]),
  )
}

/** A parsed window of an expression, or the error of its cursor, date or parameter. */
type BoundWindow = { readonly window: Window } | { readonly error: unknown }

/** The windows of an expression, by their templates. */
export type BoundWindows = Map<WindowTemplate, BoundWindow>

/**
 * Parses the cursors, dates and parameters of an expression. An item of the expression may select edges of several types,
 * and the cursor of the item may be valid for only one of these edges. The error for another edge is thrown
 * only if that edge is read.
 *
 * @throws GraphError `invalid_parameter` for a cursor, a date or a parameter that is not valid for any edge of
 * its item; `viewer_required` for the parameter `me` without a viewer.
 */
export const bindWindows = (
  context: WindowContext & { boundWindows: BoundWindows | undefined },
  { windowTemplates }: Plan,
  slotValues: readonly string[],
): void => {
  context.boundWindows ??= new Map()
  const errors = new Map<FieldItem, unknown>()
  const validItems = new Set<FieldItem>()
  for (const template of windowTemplates) {
    try {
      context.boundWindows.set(template, { window: bindWindow(template, slotValues, context) })
      validItems.add(template.item)
    } catch (error) {
      context.boundWindows.set(template, { error })
      if (!errors.has(template.item)) errors.set(template.item, error)
    }
  }
  for (const [item, error] of errors) if (!validItems.has(item)) throw error
}

/**
 * Returns the window of an edge.
 *
 * @throws GraphError `invalid_parameter` for a cursor that is valid only for another edge of the same item.
 */
export const windowOf = (
  { boundWindows }: { readonly boundWindows: BoundWindows | undefined },
  { window }: { readonly window: Window | WindowTemplate },
): Window => {
  if (!('slots' in window)) return window
  const boundWindow = boundWindows?.get(window)
  if (boundWindow === undefined) throw new Error('A window was used before it was bound')
  if ('error' in boundWindow) throw boundWindow.error
  return boundWindow.window
}
