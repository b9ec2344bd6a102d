import { isPlainObject } from '../base/json.ts'
import type { RootId } from '../execute/root-nodes.ts'
import type { NodeRecord } from '../store/contract.ts'
import type { ParameterIssue } from './parameter-issues.ts'

/** A node in a parsed value. */
export class GivenNode {
  /** The id, or `undefined` for a value that no id can be. */
  readonly id: RootId | undefined
  /** The types that the node may have. */
  readonly types: readonly string[]
  /** The issue if the viewer sees no such node. */
  readonly issue: ParameterIssue
  /** The record, which the viewer may not see. Undefined until it is read, and if there is no such node. */
  record: NodeRecord | undefined

  constructor(id: RootId | undefined, types: readonly string[], issue: ParameterIssue) {
    this.id = id
    this.types = types
    this.issue = issue
  }
}

/** Returns a parsed value with another form of each node. All nodes must have been read. */
export const mapNodes = (
  value: unknown,
  toForm: (record: NodeRecord, requestedId: string) => unknown,
): unknown => {
  if (value instanceof GivenNode) {
    const { id, record } = value
    if (id === undefined || record === undefined) throw new Error('A node was used before it was read')
    return toForm(record, id.requestedId)
  }
  if (Array.isArray(value)) return value.map((item: unknown) => mapNodes(item, toForm))
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapNodes(member, toForm)]))
}
