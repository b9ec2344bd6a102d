import type { FieldExpression } from '../fields/expression.ts'
import { printFields } from '../fields/print.ts'
import type { ListOrder } from '../schema/list-order.ts'
import type { ParameterValues } from '../schema/parameter.ts'
import type { EdgeList, LinkParameter, Window } from './window.ts'

/** Prints the query string of a link: the fields, then the parameters in their order, all encoded. */
export const printLinkQuery = (
  fields: FieldExpression | undefined,
  parameters: readonly LinkParameter[],
): string => {
  const fieldsParameter =
    fields === undefined || fields.length === 0 ? [] : [['fields', printFields(fields)] as const]
  return [...fieldsParameter, ...parameters]
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
}

/**
 * Returns a function that computes a value on its first call and then reuses the value. Most pages have no
 * links and do not need their query string.
 */
export const memoize = <TValue extends string | object>(compute: () => TValue): (() => TValue) => {
  let value: TValue | undefined
  return () => {
    value ??= compute()
    return value
  }
}

/**
 * The maximum length of a query string that a plan keeps. The weight of a plan in the cache does not include
 * this string.
 */
const MAX_KEPT_LENGTH = 500

/** Returns a function that computes a query string, and keeps a short string for further calls. */
export const memoizeIfShort = (compute: () => string): (() => string) => {
  let keptQuery: string | undefined
  return () => {
    const query = keptQuery ?? compute()
    if (query.length <= MAX_KEPT_LENGTH) keptQuery = query
    return query
  }
}

/** Returns the text that identifies a list in cursors. `parameters` are the values of all parameters. */
export const createListKey = (
  {
    name,
    list,
    ids,
    order,
  }: Pick<EdgeList, 'name' | 'list'> &
    Partial<Pick<EdgeList, 'ids'>> & { readonly order: Pick<ListOrder, 'cursorName'> },
  parameters: readonly LinkParameter[] = [],
): string => {
  // The name of an edge begins with a letter, so the text of a graph with named ids differs.
  const prefix = ids === 'named' ? '#' : ''
  const key = `${prefix}${name} ${list} ${order.cursorName}`
  return parameters.length === 0 ? key : `${key} ${JSON.stringify(parameters)}`
}

const NO_PARAMETERS: ParameterValues = Object.freeze({})

/** Creates the window of the first page of a list. */
export const createFirstPageWindow = (
  createLinkQuery: () => string,
  listKey = '',
  parameters = NO_PARAMETERS,
): Window =>
  Object.freeze({
    from: undefined,
    resolvedFrom: undefined,
    onlySource: undefined,
    cursorParameter: undefined,
    minTime: undefined,
    maxTime: undefined,
    listKey,
    parameters,
    createLinkQuery,
  })
