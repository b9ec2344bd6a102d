import { isNonArrayObject } from '../base/json.ts'
import type { EdgeCheck } from './contract.ts'

/** Whether a value is the record of the edge that a check requested. */
const isRecordOf = ({ source, name, target }: EdgeCheck, value: unknown): boolean =>
  isNonArrayObject(value) &&
  value.source === source &&
  value.name === name &&
  value.target === target &&
  Number.isSafeInteger(value.time) &&
  (value.data === undefined || isNonArrayObject(value.data))

/** Whether a store may return a value as the result of a check. */
export const isCheckResult = (check: EdgeCheck, result: unknown): boolean =>
  result === false || (check.data === true ? isRecordOf(check, result) : result === true)

/** Describes the results that a store may return for a check. */
export const describeExpectedResult = ({ data }: EdgeCheck): string =>
  data === true
    ? 'false, or the record { source, name, target, time, data } of the edge, for each check with data'
    : 'true or false for each check without data'
