import type { JsonValue } from '../../../src/base/json.ts'
import type { ValueKind } from './world.ts'

/** The classic form of a date: `YYYY-MM-DDThh:mm:ss+0000`. */
export const datetimeText = (time: number): string =>
  new Date(time).toISOString().replace(/\.\d{3}Z$/, '+0000')

const birthdayText = (stored: JsonValue): JsonValue => {
  const { date, show } = Object.assign({ date: '', show: '' }, stored)
  const [year, month, day] = date.split('-')
  if (show === 'year') return year ?? ''
  return show === 'day' ? `${month}/${day}` : `${month}/${day}/${year}`
}

/** What is answered for a stored value. */
export const answerOf = (of: ValueKind, stored: JsonValue): JsonValue => {
  if (of === 'datetime') return datetimeText(Number(stored))
  if (of === 'birthday') return birthdayText(stored)
  return stored
}
