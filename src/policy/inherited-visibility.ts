import type { NodeId } from '../base/ids.ts'
import { forEachWithPauses, type ReadTask } from '../core/batching.ts'
import { MAX_INHERITANCE_DEPTH } from '../schema/inheritance.ts'
import type { Policy } from '../schema/policy.ts'
import { RefKey } from '../schema/ref-key.ts'
import type { Registry } from '../schema/registry.ts'
import type { EdgeCheck, EdgeRecord, NodeRecord } from '../store/contract.ts'
import { EMPTY_REQUEST } from '../store/requests.ts'
import type { EdgeChecks, PendingChecks } from './edge-checks.ts'

/** A ref whose node has to be read, among the pending checks. */
class PendingNode extends RefKey {
  /** The types that the ref declares. */
  readonly types: readonly string[]
  /** The number of refs that the policy of the node may follow. */
  readonly depth: number
  /** The list that contains it. */
  readonly pendingChecks: PendingChecks

  constructor(
    { source, name, target }: RefKey,
    types: readonly string[],
    depth: number,
    pendingChecks: PendingChecks,
  ) {
    super(source, name, target)
    this.types = types
    this.depth = depth
    this.pendingChecks = pendingChecks
  }
}

type Decisions = {
  readonly decided: Map<NodeId, boolean>
  /** The nodes that have been evaluated since the last read, and the list that contains their pending checks. */
  readonly undecided: Map<NodeId, PendingChecks>
}

/** Returns whether a policy that may follow `depth` refs allows a record, as a `PolicyEvaluator` does. */
type EvaluatePolicy = (
  policy: Policy,
  record: NodeRecord,
  pendingChecks: PendingChecks,
  depth: number,
) => boolean | undefined

/**
 * Decides for `canSee` which of the nodes that refs lead to are visible. Reads each node at most once, and
 * keeps the decisions by node and by the number of refs that its policy may follow. So the visibility of a node
 * does not depend on the way that leads to it, or on what else the call reads.
 */
export class InheritedVisibility {
  readonly #registry: Registry
  readonly #edgeChecks: EdgeChecks
  readonly #allows: EvaluatePolicy
  /** The nodes that were read, or null for a node that does not exist. */
  readonly #nodes = new Map<NodeId, NodeRecord | null>()
  /** The last pending read of each node that was not read yet. */
  readonly #pendingNodes = new Map<NodeId, PendingNode>()
  /** The decisions about the nodes, by the number of refs that their policies may follow. */
  readonly #decisionsByDepth = Array.from(
    { length: MAX_INHERITANCE_DEPTH },
    (): Decisions => ({ decided: new Map(), undecided: new Map() }),
  )

  constructor(registry: Registry, edgeChecks: EdgeChecks, allows: EvaluatePolicy) {
    this.#registry = registry
    this.#edgeChecks = edgeChecks
    this.#allows = allows
  }

  /**
   * Returns the results of the checks of a rule that contains `canSee`, or `undefined` if some of them have to
   * be read first. A result is false if the policy of the record may follow no more refs.
   */
  check(
    record: NodeRecord,
    checks: readonly EdgeCheck[],
    depth: number,
    pendingChecks: PendingChecks,
  ): readonly (boolean | EdgeRecord)[] | undefined {
    const found: (boolean | EdgeRecord)[] = []
    for (const check of checks) {
      const isFound =
        check instanceof RefKey
          ? depth > 0 && this.#isTargetVisible(record, check, depth - 1, pendingChecks)
          : this.#edgeChecks.find(check, pendingChecks)
      if (isFound !== undefined) found.push(isFound)
    }
    return found.length < checks.length ? undefined : found
  }

  /**
   * Reads pending checks and pending nodes in one store read, and then, step by step, what the policies of
   * these nodes need. What a rule needs after the last possible step stays undecided: its checks are not pure.
   */
  *read(pendingChecks: PendingChecks): ReadTask<void> {
    let undecided: PendingNode[] = []
    let pending = pendingChecks
    for (let step = 0; step <= MAX_INHERITANCE_DEPTH && pending.length > 0; step++) {
      const newNodes = pending.filter(check => check instanceof PendingNode)
      yield* this.#readStep(
        this.#edgeChecks.withoutCovered(pending).filter(check => !(check instanceof PendingNode)),
        newNodes,
      )
      const next: PendingChecks = []
      const stillUndecided: PendingNode[] = []
      yield* forEachWithPauses([...undecided, ...newNodes], node => {
        const { types, depth } = node
        if (this.#isNodeVisible(node, types, depth, next) === undefined) stillUndecided.push(node)
      })
      undecided = stillUndecided
      pending = next
    }
  }

  *#readStep(checks: readonly EdgeCheck[], newNodes: readonly PendingNode[]): ReadTask<void> {
    for (const { undecided } of this.#decisionsByDepth) undecided.clear()
    const requestedIds = new Set<NodeId>()
    // Another part of the call may have read some of the nodes since they were requested.
    yield* forEachWithPauses(newNodes, ({ target }) => {
      if (!this.#nodes.has(target)) requestedIds.add(target)
    })
    const ids = [...requestedIds]
    if (checks.length + ids.length === 0) return
    const fields = this.#registry.sourceFields.policyFields
    const result = yield { ...EMPTY_REQUEST, checks, nodes: ids, fields }
    yield* forEachWithPauses(checks, (check, index) => this.#edgeChecks.keep(check, result.checks[index]))
    yield* forEachWithPauses(ids, (id, index) => {
      if (!this.#nodes.has(id)) this.#nodes.set(id, result.nodes[index] ?? null)
      this.#pendingNodes.delete(id)
    })
  }

  #isTargetVisible(
    { type }: NodeRecord,
    key: RefKey,
    depth: number,
    pendingChecks: PendingChecks,
  ): boolean | undefined {
    const field = this.#registry.getField(type, key.name)
    return field?.kind === 'ref' && this.#isNodeVisible(key, field.targets, depth, pendingChecks)
  }

  #isNodeVisible(
    key: RefKey,
    types: readonly string[],
    depth: number,
    pendingChecks: PendingChecks,
  ): boolean | undefined {
    const id = key.target
    const node = this.#nodes.get(id)
    if (node === undefined) {
      const last = this.#pendingNodes.get(id)
      if (last?.pendingChecks === pendingChecks && last.types === types && last.depth === depth)
        return undefined
      const pendingNode = new PendingNode(key, types, depth, pendingChecks)
      this.#pendingNodes.set(id, pendingNode)
      pendingChecks.push(pendingNode)
      return undefined
    }
    if (node === null || !types.includes(node.type)) return false
    const nodeType = this.#registry.getType(node.type)
    if (nodeType?.policy === undefined) return nodeType !== undefined
    return this.#decide(node, nodeType.policy, depth, pendingChecks)
  }

  #decide(
    node: NodeRecord,
    policy: Policy,
    maxDepth: number,
    pendingChecks: PendingChecks,
  ): boolean | undefined {
    // A policy that follows fewer refs has the same decision at every higher number.
    const depth = Math.min(maxDepth, this.#registry.inheritanceOf(node.type).depth)
    const decisions = this.#decisionsByDepth[depth]
    const known = decisions?.decided.get(node.id)
    if (known !== undefined || decisions?.undecided.get(node.id) === pendingChecks) return known
    const decision = this.#allows(policy, node, pendingChecks, depth)
    if (decision === undefined) decisions?.undecided.set(node.id, pendingChecks)
    else decisions?.decided.set(node.id, decision)
    return decision
  }
}
