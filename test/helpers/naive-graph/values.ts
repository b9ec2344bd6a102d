import type { JsonValue } from '../../../src/base/json.ts'
import type { ValueKind } from './world.ts'

/** The classic form of a date: `YYYY-MM-DDThh:mm:ss+0000`. */
export const formatDatetime = (time: number): string =>
  new Date(time).toISOString().replace(/\.\d{3}Z$/, '+0000')

const formatBirthday = (stored: JsonValue): JsonValue => {
  const { date, show } = Object.assign({ date: '', show: '' }, stored)
  const [year, month, day] = date.split('-')
  if (show === 'year') return year ?? ''
  return show === 'day' ? `${month}/${day}` : `${month}/${day}/${year}`
}

/** Returns a stored value in the form that results have. */
export const formatValue = (kind: ValueKind, stored: JsonValue): JsonValue => {
  if (kind === 'datetime') return formatDatetime(Number(stored))
  if (kind === 'birthday') return formatBirthday(stored)
  return stored
}
