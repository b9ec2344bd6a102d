import { describe } from '../../base/describe.ts'
import { GraphError } from '../../base/faults.ts'
import { isPlainObject } from '../../base/json.ts'
import type { RequestValues } from '../request-values.ts'
import { badBatch } from './bad-batch.ts'
import { type ItemHeaders, itemHeaders } from './item-headers.ts'
import { type ReferringText, referringText } from './references.ts'

/** One request of a batch. */
export type BatchItem = {
  readonly method: string
  /** From the path on, without a slash in front. */
  readonly relativeUrl: ReferringText
  readonly headers: ItemHeaders
  readonly body: ReferringText | undefined
  readonly name: string | undefined
  /** Whether its response is left out if it succeeds; `undefined`: only if others use it. */
  readonly isOmitted: boolean | undefined
  /** The places in the batch of those that it waits for. */
  readonly waitsFor: readonly number[]
  /** Whether others wait for it. */
  readonly isUsed: boolean
}

/** What is known of a batch before one of its items: the places of names, and the number of references. */
type Before = { readonly places: ReadonlyMap<string, number>; readonly references: number }

type Members = { readonly [name: string]: unknown }

const textIn = (item: Members, name: string, index: number): string | undefined => {
  const value = item[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value.toWellFormed()
  throw badBatch(`Request ${index} of the batch: ${name} must be text, came ${describe(value)}`, {
    index,
    path: name,
  })
}

/** A flag: in JSON, or as clients write it that have texts alone. */
const FLAGS = new Map<unknown, boolean | undefined>([
  [undefined, undefined],
  [null, undefined],
  [true, true],
  ['true', true],
  [false, false],
  ['false', false],
])

const flagIn = (item: Members, name: string, index: number): boolean | undefined => {
  const value = item[name]
  if (FLAGS.has(value)) return FLAGS.get(value)
  throw badBatch(
    `Request ${index} of the batch: ${name} must be true or false; received ${describe(value)}`,
    { index, path: name },
  )
}

const withoutOrigin = (url: string): string => url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^\/+/, '')

const placeOf = (name: string, { places }: Before, index: number): number => {
  const place = places.get(name)
  if (place !== undefined) return place
  throw badBatch(
    `Request ${index} cannot depend on an unresolved request with the name ${describe(name)}: requests can only depend on those before them`,
    { index },
  )
}

const itemOf = (value: unknown, index: number, before: Before): Omit<BatchItem, 'isUsed'> => {
  if (!isPlainObject(value)) {
    throw badBatch(`Request ${index} of the batch must be an object, came ${describe(value)}`, { index })
  }
  const url = withoutOrigin(textIn(value, 'relative_url', index) ?? '')
  const relativeUrl = referringText(url, index, before.references)
  const text = textIn(value, 'body', index)
  const count = before.references + relativeUrl.references.length
  const body = text === undefined ? undefined : referringText(text, index, count)
  const dependsOn = textIn(value, 'depends_on', index)
  const references = [...relativeUrl.references, ...(body?.references ?? [])]
  const names = [...references.map(({ name }) => name), ...(dependsOn ? [dependsOn] : [])]
  return {
    method: (textIn(value, 'method', index) ?? 'GET').toUpperCase(),
    relativeUrl,
    headers: itemHeaders(value.headers, index),
    body,
    name: textIn(value, 'name', index),
    isOmitted: flagIn(value, 'omit_response_on_success', index),
    waitsFor: [...new Set(names.map(name => placeOf(name, before, index)))],
  }
}

const listOf = (text: string, limit: number, values: RequestValues): readonly unknown[] => {
  const list = values.parse(text)
  if (!Array.isArray(list)) throw badBatch('batch must be a JSON array of requests', { parameter: 'batch' })
  if (list.length <= limit) return list
  throw new GraphError(
    'too_many_batch_items',
    `(#100) Too many requests in batch message. Maximum batch size is ${limit}`,
    { limit, came: list.length },
  )
}

/**
 * Reads a batch; what is not known of a request is ignored.
 *
 * @throws GraphError `bad_batch`, `too_many_batch_items`, `request_too_large`.
 */
export const readBatch = (text: string, limit: number, values: RequestValues): readonly BatchItem[] => {
  const places = new Map<string, number>()
  let references = 0
  const items = listOf(text, limit, values).map((value, index) => {
    const item = itemOf(value, index, { places, references })
    references += item.relativeUrl.references.length + (item.body?.references.length ?? 0)
    if (item.name !== undefined && places.has(item.name))
      throw badBatch(`The name ${describe(item.name)} is given to two requests of the batch`, { index })
    if (item.name !== undefined) places.set(item.name, index)
    return item
  })
  const used = new Set(items.flatMap(({ waitsFor }) => waitsFor))
  return items.map((item, index) => ({ ...item, isUsed: used.has(index) }))
}
