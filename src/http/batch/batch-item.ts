import { describeValue } from '../../base/describe.ts'
import { GraphError } from '../../base/errors.ts'
import { isNonArrayObject } from '../../base/json.ts'
import { formatMismatch } from '../../base/usage-error.ts'
import { isJsonType } from '../body-parameters.ts'
import { isReadMethod } from '../methods.ts'
import { splitUrl } from '../parse-url.ts'
import type { ValueBudget } from '../value-budget.ts'
import { invalidBatchError, invalidBatchItemError } from './invalid-batch.ts'
import { type ItemHeaders, parseItemHeaders } from './item-headers.ts'
import { parseReferences, type TextWithReferences } from './references.ts'

/** One request of a batch. */
export type BatchItem = {
  readonly method: string
  /** The path and query, without a leading slash. */
  readonly relativeUrl: TextWithReferences
  readonly headers: ItemHeaders
  readonly body: TextWithReferences | undefined
  readonly name: string | undefined
  /**
   * Whether a successful response is omitted. If undefined, only responses that other items depend on are
   * omitted.
   */
  readonly isOmittedOnSuccess: boolean | undefined
  /** The indexes of the items that this item depends on. */
  readonly dependencyIndexes: readonly number[]
  /** Whether other items depend on this one. */
  readonly hasDependents: boolean
}

/** The items before the current item: the index of each named item, and the total number of references. */
type PrecedingItems = { readonly indexByName: ReadonlyMap<string, number>; readonly referenceCount: number }

type Members = { readonly [name: string]: unknown }

const readText = (item: Members, name: string, index: number): string | undefined => {
  const value = item[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value.toWellFormed()
  throw invalidBatchItemError(index, name, 'a string', describeValue(value))
}

/** The values of a flag: booleans, or strings from clients that send only text. */
const FLAG_VALUES = new Map<unknown, boolean | undefined>([
  [undefined, undefined],
  [null, undefined],
  [true, true],
  ['true', true],
  [false, false],
  ['false', false],
])

const readFlag = (item: Members, name: string, index: number): boolean | undefined => {
  const value = item[name]
  if (FLAG_VALUES.has(value)) return FLAG_VALUES.get(value)
  throw invalidBatchItemError(index, name, 'true or false', describeValue(value))
}

const removeOrigin = (url: string): string => url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^\/+/, '')

const findDependencyIndex = (name: string, { indexByName }: PrecedingItems, index: number): number => {
  const dependencyIndex = indexByName.get(name)
  if (dependencyIndex !== undefined) return dependencyIndex
  throw invalidBatchError(
    `Request ${index} cannot depend on an unresolved request with the name ${describeValue(name)}. Requests can only depend on preceding requests`,
    { index },
  )
}

const parseItem = (
  value: unknown,
  index: number,
  preceding: PrecedingItems,
): Omit<BatchItem, 'hasDependents'> => {
  if (!isNonArrayObject(value)) {
    const message = formatMismatch(`Request ${index} of the batch`, 'an object', describeValue(value))
    throw invalidBatchError(message, { index })
  }
  const givenUrl = readText(value, 'relative_url', index)
  // Otherwise, a request with a misspelt member would read or change the root.
  if (givenUrl === undefined)
    throw invalidBatchItemError(index, 'relative_url', 'a string', describeValue(value.relative_url))
  const url = removeOrigin(givenUrl)
  const relativeUrl = parseReferences(url, 'url', index, preceding.referenceCount)
  const bodyText = readText(value, 'body', index)
  const referenceCount = preceding.referenceCount + relativeUrl.references.length
  const headers = parseItemHeaders(value.headers, index)
  const notation = isJsonType(headers['content-type']) ? 'json' : 'url'
  const body = bodyText === undefined ? undefined : parseReferences(bodyText, notation, index, referenceCount)
  const dependsOn = readText(value, 'depends_on', index)
  const references = [...relativeUrl.references, ...(body?.references ?? [])]
  const dependencyNames = [...references.map(({ name }) => name), ...(dependsOn ? [dependsOn] : [])]
  return {
    method: (readText(value, 'method', index) ?? 'GET').toUpperCase(),
    relativeUrl,
    headers,
    body,
    name: readText(value, 'name', index),
    isOmittedOnSuccess: readFlag(value, 'omit_response_on_success', index),
    dependencyIndexes: [...new Set(dependencyNames.map(name => findDependencyIndex(name, preceding, index)))],
  }
}

const parseList = (text: string, limit: number, valueBudget: ValueBudget): readonly unknown[] => {
  const list = valueBudget.parse(text)
  if (!Array.isArray(list)) {
    // A string is not repeated, because it may contain a token.
    const received = isNonArrayObject(list)
      ? describeValue(list)
      : list === undefined
        ? 'JSON with a syntax error'
        : 'another value'
    throw invalidBatchError(formatMismatch('"batch"', 'a JSON array of requests', received), {
      parameter: 'batch',
    })
  }
  if (list.length <= limit) return list
  throw new GraphError(
    'batch_too_large',
    `(#100) Too many requests in batch message. Maximum batch size is ${limit}`,
    { limit, received: list.length },
  )
}

/** A parameter of a form that makes a `POST` request a read. */
const READ_METHOD_PATTERN = /(?:^|&)method=(?:get|head)(?:&|$)/i

/** Returns a text with a mark in place of each reference, whose name may contain any text and whose value is unknown. */
const markReferences = ({ text, references }: TextWithReferences): string =>
  references.reduceRight((marked, { start, end }) => `${marked.slice(0, start)}%${marked.slice(end)}`, text)

/**
 * Whether an item may write. If its query or its form has the parameter `method` of a read, it does not, because
 * a second value of the parameter is an error.
 */
export const mayWrite = ({ method, relativeUrl, headers, body }: BatchItem): boolean => {
  if (isReadMethod(method)) return false
  if (method !== 'POST') return true
  const isForm = !/json|multipart/i.test(headers['content-type'] ?? '')
  return !(
    READ_METHOD_PATTERN.test(splitUrl(`/${markReferences(relativeUrl)}`).query) ||
    (isForm && body !== undefined && READ_METHOD_PATTERN.test(markReferences(body)))
  )
}

/**
 * Parses a batch. Ignores unknown members of a request.
 *
 * @throws GraphError `invalid_batch`, `batch_too_large`, `request_too_large`.
 */
export const parseBatch = (text: string, limit: number, valueBudget: ValueBudget): readonly BatchItem[] => {
  const indexByName = new Map<string, number>()
  let referenceCount = 0
  const items = parseList(text, limit, valueBudget).map((value, index) => {
    const item = parseItem(value, index, { indexByName, referenceCount })
    referenceCount += item.relativeUrl.references.length + (item.body?.references.length ?? 0)
    if (item.name !== undefined && indexByName.has(item.name))
      throw invalidBatchError(`Two requests of the batch have the name ${describeValue(item.name)}`, {
        index,
      })
    if (item.name !== undefined) indexByName.set(item.name, index)
    return item
  })
  const indexesWithDependents = new Set(items.flatMap(({ dependencyIndexes }) => dependencyIndexes))
  return items.map((item, index) => ({ ...item, hasDependents: indexesWithDependents.has(index) }))
}
