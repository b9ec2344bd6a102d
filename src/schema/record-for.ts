import type { NodeRecord } from '../store/contract.ts'
import type { Rule } from './policy.ts'

/** The key of the function that returns a record as one rule receives it. */
export const RECORD_FOR = Symbol('kithgraph.recordFor')

/** A record that each rule receives with only the fields that the rule declares. */
export type CheckedRecord = NodeRecord & { readonly [RECORD_FOR]?: (rule: Rule) => NodeRecord }

/** Returns the record that a member of a composed rule receives. With `checkReads`, it is not the same for all. */
export const recordFor = (rule: Rule, record: CheckedRecord): NodeRecord =>
  record[RECORD_FOR]?.(rule) ?? record
