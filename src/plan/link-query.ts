import type { FieldExpression } from '../fields/expression.ts'
import { printFields } from '../fields/print.ts'
import type { LinkParameter, Window } from './plan.ts'

/** The query string of a link: the fields, then the parameters in their order, all encoded. */
export const linkQuery = (
  fields: FieldExpression | undefined,
  parameters: readonly LinkParameter[],
): string => {
  const asked = fields === undefined || fields.length === 0 ? [] : [['fields', printFields(fields)] as const]
  return [...asked, ...parameters].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
}

/** What is made when it is first asked for, such as the text of a link: most pages have none. */
export const lazily = <TMade extends string | object>(make: () => TMade): (() => TMade) => {
  let made: TMade | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Characters of a query that a plan keeps: what the cache weighs has no place for long ones. */
const KEPT = 500

/** Returns a function that makes a query string, and that keeps it if it is short. */
export const shortKept = (make: () => string): (() => string) => {
  let made: string | undefined
  return () => {
    const query = made ?? make()
    if (query.length <= KEPT) made = query
    return query
  }
}

/** The window of a list's first page. */
export const openWindow = (query: () => string): Window =>
  Object.freeze({
    from: undefined,
    source: undefined,
    cursor: undefined,
    minTime: undefined,
    maxTime: undefined,
    query,
  })
