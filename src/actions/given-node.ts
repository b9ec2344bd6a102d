import { describeValue, shortenText } from '../base/describe.ts'
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
  /** The record, which the viewer may not see. Undefined until it is read, and if there is no such node. */
  record: NodeRecord | undefined

  readonly #given: unknown
  readonly #path: string

  constructor(id: RootId | undefined, types: readonly string[], given: unknown, path: string) {
    this.id = id
    this.types = types
    this.#given = given
    this.#path = path
  }

  /** The issue if the viewer sees no such node. It is created when it is needed, because descriptions take time. */
  get issue(): ParameterIssue {
    const form = typeof this.#given === 'string' ? 'which exists and is visible' : 'as a text in quotes'
    return {
      parameter: shortenText(this.#path),
      expected: `the id of a node of type ${this.types.join(' or ')}, ${form}`,
      received: describeValue(this.#given),
    }
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
