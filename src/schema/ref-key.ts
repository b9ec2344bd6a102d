import type { NodeId } from '../base/ids.ts'
import type { EdgeKey } from '../store/contract.ts'

/**
 * The key of the node that a ref of a record leads to. `canSee` returns it among its checks, so that composed
 * rules handle it as they handle the key of an edge. No store receives it.
 */
export class RefKey implements EdgeKey {
  readonly source: NodeId
  /** The name of the ref. */
  readonly name: string
  readonly target: NodeId

  constructor(source: NodeId, name: string, target: NodeId) {
    this.source = source
    this.name = name
    this.target = target
  }
}
