import { describe } from '../../base/describe.ts'
import { GraphError } from '../../base/faults.ts'
import { isPlainObject } from '../../base/json.ts'
import { referencesIn } from './reference.ts'

/** One request of a batch. */
export type BatchItem = {
  readonly method: string
  /** From the path on, without a slash in front. */
  readonly relativeUrl: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string | undefined
  readonly name: string | undefined
  /** Whether its answer is left out where it succeeds and others use it. */
  readonly isOmitted: boolean
  /** How often it takes something from the answers of others. */
  readonly references: number
  /** The places in the batch of those that it waits for. */
  readonly waitsFor: readonly number[]
  /** Whether others wait for it. */
  readonly isUsed: boolean
}

/** References in all requests of a batch together: each may go through a whole answer. */
const MOST_REFERENCES = 250

/** A batch that cannot be run as a whole. */
export const badBatch = (
  message: string,
  data: { readonly [name: string]: string | number } = {},
): GraphError => new GraphError('bad_batch', `(#100) ${message}`, data)

const parsed = (text: string): readonly unknown[] => {
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch {}
  if (Array.isArray(list)) return list
  throw badBatch('batch must be a JSON array of requests', { parameter: 'batch' })
}

/** Headers as clients send them: a list of `Name: value`, or of names and values. */
const headersOf = (headers: unknown): BatchItem['headers'] => {
  if (!Array.isArray(headers)) return {}
  return Object.fromEntries(
    headers.flatMap((header: unknown) => {
      const { name, value } = isPlainObject(header) ? header : {}
      if (typeof name === 'string' && typeof value === 'string') return [[name.toLowerCase(), value]]
      const [key = '', ...rest] = typeof header === 'string' ? header.split(':') : []
      return rest.length === 0 ? [] : [[key.trim().toLowerCase(), rest.join(':').trim()]]
    }),
  )
}

const textIn = (
  item: { readonly [name: string]: unknown },
  name: string,
  index: number,
): string | undefined => {
  const value = item[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value.toWellFormed()
  throw badBatch(`Request ${index} of the batch: ${name} must be text, came ${describe(value)}`, {
    index,
    path: name,
  })
}

const itemOf = (
  value: unknown,
  index: number,
  before: ReadonlyMap<string, number>,
): Omit<BatchItem, 'isUsed'> => {
  if (!isPlainObject(value)) {
    throw badBatch(`Request ${index} of the batch must be an object, came ${describe(value)}`, { index })
  }
  const relativeUrl = textIn(value, 'relative_url', index) ?? ''
  const body = textIn(value, 'body', index)
  const dependsOn = textIn(value, 'depends_on', index)
  const references = [...referencesIn(relativeUrl), ...referencesIn(body ?? '')]
  const names = [...references.map(({ name }) => name), ...(dependsOn ? [dependsOn] : [])]
  const waitsFor = names.map(name => {
    const place = before.get(name)
    if (place !== undefined) return place
    throw badBatch(
      `Request ${index} cannot depend on an unresolved request with the name ${describe(name)}: requests can only depend on those before them`,
      { index },
    )
  })
  return {
    method: (textIn(value, 'method', index) ?? 'GET').toUpperCase(),
    relativeUrl: relativeUrl.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^\/+/, ''),
    headers: headersOf(value.headers),
    body,
    name: textIn(value, 'name', index),
    isOmitted: value.omit_response_on_success !== false,
    references: references.length,
    waitsFor: [...new Set(waitsFor)],
  }
}

/**
 * Reads a batch; what is not known of a request is ignored.
 *
 * @throws GraphError `bad_batch`, `too_many_batch_items`.
 */
export const readBatch = (text: string, limit: number): readonly BatchItem[] => {
  const list = parsed(text)
  if (list.length > limit) {
    throw new GraphError(
      'too_many_batch_items',
      `(#100) Too many requests in batch message. Maximum batch size is ${limit}`,
      { limit, came: list.length },
    )
  }
  const before = new Map<string, number>()
  let references = 0
  const items = list.map((value, index) => {
    const item = itemOf(value, index, before)
    references += item.references
    if (references > MOST_REFERENCES)
      throw badBatch(`The requests of a batch have at most ${MOST_REFERENCES} references`, {
        limit: MOST_REFERENCES,
      })
    if (item.name !== undefined && before.has(item.name))
      throw badBatch(`The name ${describe(item.name)} is given to two requests of the batch`, { index })
    if (item.name !== undefined) before.set(item.name, index)
    return item
  })
  const used = new Set(items.flatMap(({ waitsFor }) => waitsFor))
  return items.map((item, index) => ({ ...item, isUsed: used.has(index) }))
}
