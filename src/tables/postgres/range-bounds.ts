import type { EdgeRange } from '../../store/contract.ts'
import type { ListMapping, OrderMapping } from '../model/table-model.ts'
import { formatMicros } from '../rows/calendar.ts'
import type { StartPosition } from '../rows/positions.ts'
import { endOfMilliseconds, startOfMilliseconds } from '../rows/times.ts'
import type { RangeBounds } from '../sql/stretches.ts'
import { localTimeSql, parameterType, timeType } from './column-sql.ts'
import {
  addKey,
  REQUESTED,
  type RequestedColumns,
  type RequestedRow,
  requestedKey,
  requestedKeySql,
} from './requested-rows.ts'

/** Which bounds a range has. Ranges with the same bounds share a query. */
export type BoundsForm = {
  readonly isNewest: boolean
  readonly start: RangeBounds['start']
  readonly hasMin: boolean
  readonly hasMax: boolean
}

const limits = (time: number | undefined, order: OrderMapping): time is number =>
  order.isTime && time !== undefined

/** Returns which bounds a range has. */
export const formOf = (
  { direction, minTime, maxTime }: EdgeRange,
  order: OrderMapping,
  start: StartPosition | undefined,
): BoundsForm => ({
  isNewest: direction === 'newest',
  start: start === undefined ? 'none' : start.isNull ? 'null' : 'value',
  hasMin: limits(minTime, order),
  hasMax: limits(maxTime, order),
})

/** Returns the columns of the bounds of a range. */
export const boundColumns = ({ order, target }: ListMapping, form: BoundsForm): RequestedColumns => {
  const { column } = order
  // A day is compared with a time, because it may begin before a time of its day.
  const time = column === undefined ? '' : column.kind === 'date' ? 'timestamp' : timeType(column)
  return [
    ...(form.start === 'value' && column !== undefined ? [['o', parameterType(column)] as const] : []),
    ...(form.start === 'none' ? [] : requestedKey('f', target.keys)),
    ...(form.hasMin ? [['lo', time] as const] : []),
    ...(form.hasMax ? [['hi', time] as const] : []),
  ]
}

/** Returns the bounds of a range as expressions. */
export const boundsOf = ({ order, target }: ListMapping, form: BoundsForm): RangeBounds => ({
  isNewest: form.isNewest,
  start: form.start,
  startValue: `${REQUESTED}.o`,
  startKey: requestedKeySql('f', target.keys),
  minTime:
    form.hasMin && order.column !== undefined ? localTimeSql(`${REQUESTED}.lo`, order.column) : undefined,
  maxTime:
    form.hasMax && order.column !== undefined ? localTimeSql(`${REQUESTED}.hi`, order.column) : undefined,
})

/** Adds the values of the bounds to a requested row. */
export const addBounds = (
  row: RequestedRow,
  { target, order }: ListMapping,
  { minTime, maxTime }: EdgeRange,
  start: StartPosition | undefined,
): void => {
  if (start !== undefined) addKey(row, 'f', target.keys, start.key)
  if (start?.value !== undefined) row.o = start.value
  if (limits(minTime, order)) row.lo = formatMicros(startOfMilliseconds(minTime))
  if (limits(maxTime, order)) row.hi = formatMicros(endOfMilliseconds(maxTime))
}
