import type { FieldExpression } from '../fields/expression.ts'
import { unquoteArgument } from '../fields/unquote-argument.ts'
import { memoize, printLinkQuery } from '../plan/link-query.ts'
import type { LinkParameter, Window, WindowTemplate } from '../plan/plan.ts'
import { fillSlots } from '../plan/slots.ts'
import { type CursorBinding, type CursorContext, decodeCursor } from './cursor.ts'
import { parseTimeBoundary } from './time-boundary.ts'

/** The options of a caller that select a page. */
export type WindowInput = { readonly [name in 'after' | 'before' | 'since' | 'until']?: unknown }

const formatTime = (value: unknown): string => (value instanceof Date ? value.toISOString() : `${value}`)

const toTimeParameters = ({ since, until }: WindowInput): LinkParameter[] => {
  const timeParameters: LinkParameter[] = []
  if (since !== undefined) timeParameters.push(['since', formatTime(since)])
  if (until !== undefined) timeParameters.push(['until', formatTime(until)])
  return timeParameters
}

/**
 * Parses the window of a page. `createLinkQuery` creates the query string of its links from the times that
 * they contain.
 *
 * @throws GraphError `invalid_parameter` for a cursor of another edge or order, or an invalid date.
 */
export const parseWindow = (
  input: WindowInput,
  binding: CursorBinding,
  cursorContext: CursorContext,
  createLinkQuery: (timeParameters: readonly LinkParameter[]) => string,
): Window => {
  const { after, before } = input
  const minTime = parseTimeBoundary('since', input.since)
  const maxTime = parseTimeBoundary('until', input.until)
  const cursorParameter = after !== undefined ? 'after' : before !== undefined ? 'before' : undefined
  const position =
    cursorParameter && decodeCursor(cursorParameter, input[cursorParameter], binding, cursorContext)
  return {
    from: position?.from,
    onlySource: position?.onlySource,
    cursorParameter,
    minTime,
    maxTime,
    createLinkQuery: memoize(() => createLinkQuery(toTimeParameters(input))),
  }
}

const linkFieldsOf = (template: WindowTemplate, values: readonly string[]): FieldExpression | undefined => {
  const linkFields = template.getLinkFields()
  return linkFields && fillSlots(linkFields, values)
}

/** Parses the window of an edge inside an expression from its template and the values of the expression. */
export const bindWindow = (
  template: WindowTemplate,
  values: readonly string[],
  cursorContext: CursorContext,
): Window => {
  const { slots, linkParameters } = template
  const valueOfSlot = (slot: number | undefined): string | undefined =>
    slot === undefined ? undefined : unquoteArgument(values[slot] ?? '')
  const input = {
    after: valueOfSlot(slots.after),
    before: valueOfSlot(slots.before),
    since: valueOfSlot(slots.since),
    until: valueOfSlot(slots.until),
  }
  return parseWindow(input, template, cursorContext, times =>
    printLinkQuery(linkFieldsOf(template, values), [...linkParameters, ...times]),
  )
}
