import { textOf } from '../fields/argument.ts'
import type { FieldExpression } from '../fields/expression.ts'
import { lazily, linkQuery } from '../plan/link-query.ts'
import type { BoundWindow, LinkParameter, Window } from '../plan/plan.ts'
import { putValues } from '../plan/slots.ts'
import { type CursorKeys, type CursorPlace, decodeCursor } from './cursor.ts'
import { boundary } from './time-boundary.ts'

/** What a caller may say of where a page is. */
export type WindowInput = { readonly [name in 'after' | 'before' | 'since' | 'until']?: unknown }

const textOfTime = (value: unknown): string => (value instanceof Date ? value.toISOString() : `${value}`)

const timesIn = ({ since, until }: WindowInput): LinkParameter[] => {
  const times: LinkParameter[] = []
  if (since !== undefined) times.push(['since', textOfTime(since)])
  if (until !== undefined) times.push(['until', textOfTime(until)])
  return times
}

/**
 * Reads where a page is. `linked` makes the query string of its links from the times that they carry.
 *
 * @throws GraphError `bad_parameter` for a cursor of another edge or order, a date that is none, or both cursors.
 */
export const readWindow = (
  input: WindowInput,
  place: CursorPlace,
  keys: CursorKeys,
  linked: (times: readonly LinkParameter[]) => string,
): Window => {
  const { after, before } = input
  const minTime = boundary('since', input.since)
  const maxTime = boundary('until', input.until)
  const cursor = after !== undefined ? 'after' : before !== undefined ? 'before' : undefined
  const position = cursor && decodeCursor(cursor, input[cursor], place, keys)
  return {
    from: position?.from,
    source: position?.source,
    cursor,
    minTime,
    maxTime,
    query: lazily(() => linked(timesIn(input))),
  }
}

const linkedFields = (window: BoundWindow, values: readonly string[]): FieldExpression | undefined => {
  const fields = window.fields()
  return fields && putValues(fields, values)
}

/** Reads the window of an edge inside an expression, whose values were taken out of the text. */
export const bindWindow = (window: BoundWindow, values: readonly string[], keys: CursorKeys): Window => {
  const { slots, parameters } = window
  const valueIn = (slot: number | undefined): string | undefined =>
    slot === undefined ? undefined : textOf(values[slot] ?? '')
  const input = {
    after: valueIn(slots.after),
    before: valueIn(slots.before),
    since: valueIn(slots.since),
    until: valueIn(slots.until),
  }
  return readWindow(input, window, keys, times =>
    linkQuery(linkedFields(window, values), [...parameters, ...times]),
  )
}
