import { isNonArrayObject, type JsonValue } from '../../../base/json.ts'
import type { TextRange } from '../../text-range.ts'
import { textAt } from './json.ts'

/** An error as the page shows it. */
export type ErrorDetails = {
  readonly message: string
  readonly type: string
  readonly code: number
  readonly subcode: number | undefined
  readonly reason: string
  /** The failure that an action reports, if it reports one. */
  readonly failure: string | undefined
  /** The details of the failure as JSON. */
  readonly data: string | undefined
  readonly traceId: string
  readonly suggestions: readonly string[]
  /** The largest `limit` for every edge with which the request would succeed, if it was too expensive. */
  readonly fittingLimit: number | undefined
  /** The position in the text of the expression, if it is known. */
  readonly range: TextRange | undefined
}

const toNumber = (value: JsonValue | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined

const toTexts = (value: JsonValue | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter(text => typeof text === 'string') : []

const toRange = (value: JsonValue | undefined): TextRange | undefined => {
  const { from, to } = isNonArrayObject(value) ? value : {}
  return typeof from === 'number' && typeof to === 'number' ? { from, to } : undefined
}

/** Parses the envelope of an error. Returns undefined for any other response. */
export const parseError = (body: JsonValue | undefined): ErrorDetails | undefined => {
  const error = isNonArrayObject(body) ? body.error : undefined
  if (!isNonArrayObject(error) || typeof error.message !== 'string') return undefined
  const data = isNonArrayObject(error.error_data) ? error.error_data : {}
  return {
    message: error.message,
    type: textAt(error, 'type') ?? '',
    code: toNumber(error.code) ?? 0,
    subcode: toNumber(error.error_subcode),
    reason: textAt(data, 'reason') ?? '',
    failure: textAt(data, 'failure'),
    data: data.data === undefined ? undefined : JSON.stringify(data.data),
    traceId: textAt(error, 'fbtrace_id') ?? '',
    suggestions: toTexts(data.suggestions),
    fittingLimit: toNumber(data.fits),
    range: isNonArrayObject(body) ? toRange(body.range) : undefined,
  }
}
