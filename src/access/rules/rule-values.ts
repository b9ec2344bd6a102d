import { describeValue } from '../../base/describe.ts'
import { isNodeId, type NodeId } from '../../base/ids.ts'
import { usageError } from '../../base/usage-error.ts'
import type { NodeRecord } from '../../store/contract.ts'

/** Returns the node that a rule is about, or `undefined` if the ref is not set. */
export const subjectOf = (record: NodeRecord, subjectField: string | undefined): NodeId | undefined => {
  if (subjectField === undefined) return record.id
  const id = record.fields[subjectField]
  return isNodeId(id) ? id : undefined
}

/** @throws TypeError for an empty string, or a value that is not a string. */
export const assertNonEmptyText = (location: string, name: string, value: unknown): void => {
  if (typeof value === 'string' && value !== '') return
  throw usageError(location, name, 'a string that is not empty', describeValue(value))
}

/** Whether a rule can compare a value with stored values. */
export const isComparable = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
