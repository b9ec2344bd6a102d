import { describeValue } from '../../base/describe.ts'
import { isNodeId, type NodeId } from '../../base/ids.ts'
import { assertObject, assertOptionKinds, type OptionKinds } from '../../base/options.ts'
import { usageError } from '../../base/usage-error.ts'
import type { NodeRecord } from '../../store/contract.ts'

/** The options of a rule about a node and the viewer. */
export type RuleOptions = {
  /**
   * The ref field of the node that the rule is about. Default: the record itself. If the stored value is not
   * an id, the policy denies.
   */
  readonly of?: string | undefined
}

const OPTION_KINDS = { of: 'text' } as const satisfies OptionKinds

/** Returns the `of` of a rule's options. */
export const readOfOption = (location: string, options: RuleOptions | undefined): string | undefined => {
  if (options !== undefined) assertObject(location, options)
  assertOptionKinds(location, options, OPTION_KINDS)
  return options?.of
}

/** Returns the node that a rule is about; undefined if the ref is not set. */
export const subjectOf = (record: NodeRecord, subjectField: string | undefined): NodeId | undefined => {
  if (subjectField === undefined) return record.id
  const id = record.fields[subjectField]
  return isNodeId(id) ? id : undefined
}

/** @throws TypeError for a value that is not a string, or empty. */
export const assertNonEmptyText = (location: string, name: string, value: unknown): void => {
  if (typeof value === 'string' && value !== '') return
  throw usageError(location, name, 'a string that is not empty', describeValue(value))
}
