import type { TextRange } from '../../text-range.ts'
import { isRecord, type Json, textAt } from './json.ts'

/** A fault as the page shows it. */
export type Fault = {
  readonly message: string
  readonly type: string
  readonly code: number
  readonly subcode: number | undefined
  readonly reason: string
  readonly traceId: string
  readonly suggestions: readonly string[]
  /** What may do instead: the `limit` that fits a query that was too costly. */
  readonly fits: number | undefined
  /** Where in the text of the expression it is, as far as that was told. */
  readonly range: TextRange | undefined
}

const numberIn = (value: Json | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined

const textsIn = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter(text => typeof text === 'string') : []

const rangeIn = (value: Json | undefined): TextRange | undefined => {
  const { from, to } = isRecord(value) ? value : {}
  return typeof from === 'number' && typeof to === 'number' ? { from, to } : undefined
}

/** Reads the envelope of a fault; undefined for an answer that is none. */
export const faultIn = (answer: Json | undefined): Fault | undefined => {
  const error = isRecord(answer) ? answer.error : undefined
  if (!isRecord(error) || typeof error.message !== 'string') return undefined
  const data = isRecord(error.error_data) ? error.error_data : {}
  return {
    message: error.message,
    type: textAt(error, 'type') ?? '',
    code: numberIn(error.code) ?? 0,
    subcode: numberIn(error.error_subcode),
    reason: textAt(data, 'reason') ?? '',
    traceId: textAt(error, 'fbtrace_id') ?? '',
    suggestions: textsIn(data.suggestions),
    fits: numberIn(data.fits),
    range: isRecord(answer) ? rangeIn(answer.range) : undefined,
  }
}
