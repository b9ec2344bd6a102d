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

/** A text that is made when it is first asked for: most pages have no link. */
export const lazily = (make: () => string): (() => string) => {
  let text: string | undefined
  return () => {
    text ??= make()
    return text
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
