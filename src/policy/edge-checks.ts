import { describeValue } from '../base/describe.ts'
import { type IdKind, isIdOfKind, type NodeId } from '../base/ids.ts'
import { usageErrorAbout } from '../base/usage-error.ts'
import type { ReadTask } from '../core/batching.ts'
import { subjectOf } from '../schema/policy.ts'
import { RefKey } from '../schema/ref-key.ts'
import type { Condition, EdgeCheck, EdgeKey, EdgeRecord, NodeRecord } from '../store/contract.ts'
import { checksRequest } from '../store/requests.ts'

/**
 * The checks that have to be read from the store, without duplicates. Under `canSee`, the list also contains nodes
 * that have to be read.
 */
export type PendingChecks = EdgeCheck[]

const assertEdgeCheck = (kind: IdKind, check: EdgeCheck): void => {
  const { source, name, target, data } = check
  const isKey =
    isIdOfKind(kind, source) && isIdOfKind(kind, target) && typeof name === 'string' && name.isWellFormed()
  // Outside of the ready-made rules, nothing would prevent a rule that denies if a node is visible.
  if (isKey && !(check instanceof RefKey) && (data === undefined || typeof data === 'boolean')) return
  throw usageErrorAbout(
    'checks',
    'each edge key',
    '{ source, name, target } with two node ids, and optionally a boolean "data"',
    describeValue(check),
  )
}

/** Returns the edge that a condition is about, for one record. */
const edgeOf = (
  { name, of, from, to }: Extract<Condition, { kind: 'edge' }>,
  record: NodeRecord,
): EdgeKey | undefined => {
  const subject = subjectOf(record, of)
  if (subject === undefined) return undefined
  if (from !== undefined) return { source: from, name, target: subject }
  return to && { source: subject, name, target: to }
}

/**
 * A map whose keys are edge keys. Nearly all of these edges have the viewer at one end, so the id of the
 * other end is enough as a key. Joining two ids for each edge would take longer than the rest of a rule.
 */
class EdgeKeyMap<TValue> {
  readonly #viewer: NodeId | undefined
  readonly #fromViewer = new Map<string, Map<string, TValue>>()
  readonly #toViewer = new Map<string, Map<string, TValue>>()
  readonly #otherEdges = new Map<string, Map<string, TValue>>()

  constructor(viewer: NodeId | undefined) {
    this.#viewer = viewer
  }

  get(key: EdgeKey): TValue | undefined {
    return this.#valuesByName(key).get(key.name)?.get(this.#endKeyOf(key))
  }

  set(key: EdgeKey, value: TValue): void {
    const valuesByName = this.#valuesByName(key)
    const valuesByEnds = valuesByName.get(key.name)
    if (valuesByEnds === undefined) valuesByName.set(key.name, new Map([[this.#endKeyOf(key), value]]))
    else valuesByEnds.set(this.#endKeyOf(key), value)
  }

  #valuesByName({ source, target }: EdgeKey): Map<string, Map<string, TValue>> {
    if (source === this.#viewer) return this.#fromViewer
    return target === this.#viewer ? this.#toViewer : this.#otherEdges
  }

  /**
   * Returns the part of the key that is unique among edges with the same name. Ids contain no
   * spaces, so two ids joined by a space are unambiguous.
   */
  #endKeyOf({ source, target }: EdgeKey): string {
    if (source === this.#viewer) return target
    return target === this.#viewer ? source : `${source} ${target}`
  }
}

/** The result of a check, or the pending list that contains it if the check has not been read yet. */
type CheckState = boolean | EdgeRecord | PendingChecks

const isPending = (state: CheckState): state is PendingChecks => Array.isArray(state)

/** The results of the checks of one call. Each check is read from the store at most once. */
export class EdgeChecks {
  readonly #kind: IdKind
  readonly #viewer: NodeId | undefined
  readonly #states: EdgeKeyMap<CheckState>
  /** The pending lists of the checks with data. Undefined if there is none, as in most calls. */
  #pendingRecords: EdgeKeyMap<PendingChecks> | undefined

  constructor(kind: IdKind, viewer: NodeId | undefined) {
    this.#kind = kind
    this.#viewer = viewer
    this.#states = new EdgeKeyMap(viewer)
  }

  /**
   * Returns the result of a check: false if the edge does not exist, otherwise its record for a check with data, or
   * true. If the check has not been read yet, returns `undefined` and adds it to `pendingChecks`.
   */
  find(check: EdgeCheck, pendingChecks: PendingChecks): boolean | EdgeRecord | undefined {
    if (check.data === true) return this.#findRecord(check, pendingChecks)
    const state = this.#states.get(check)
    if (typeof state === 'boolean') return state
    if (state === pendingChecks) return undefined
    if (state !== undefined && !isPending(state)) return true
    assertEdgeCheck(this.#kind, check)
    // The key is copied, because a rule may reuse its object for the next record.
    const { source, name, target } = check
    this.#states.set(check, pendingChecks)
    pendingChecks.push({ source, name, target })
    return undefined
  }

  /** Reads the pending checks in one store read. */
  *read(pendingChecks: PendingChecks): ReadTask<void> {
    const requested = this.withoutCovered(pendingChecks)
    const { checks } = yield checksRequest(requested)
    for (const [index, check] of requested.entries()) this.keep(check, checks[index])
  }

  /** Keeps the result of a check that was read. */
  keep(check: EdgeCheck, result: boolean | EdgeRecord = false): void {
    // Another task of the call may have read the record of the same edge.
    if (result === true && this.#pendingRecords !== undefined) {
      const state = this.#states.get(check)
      if (typeof state === 'object' && !isPending(state)) return
    }
    this.#states.set(check, result)
  }

  /**
   * Keeps which edges exist by what a store found out about a record: none of the conditions before the one that holds
   * does. The record of an edge, which a condition about its data needs, is not known.
   */
  keepHeld(record: NodeRecord, conditions: readonly Condition[]): void {
    for (const [index, condition] of conditions.entries()) {
      const isHeld = index === record.heldCondition
      const hasData = condition.kind === 'edge' && condition.where !== undefined
      const key = condition.kind === 'edge' && !hasData ? edgeOf(condition, record) : undefined
      if (key !== undefined) this.keep(key, isHeld)
      if (isHeld) return
    }
  }

  #findRecord(check: EdgeCheck, pendingChecks: PendingChecks): EdgeRecord | false | undefined {
    const state = this.#states.get(check)
    if (state === false) return false
    if (typeof state === 'object' && !isPending(state)) return state
    this.#pendingRecords ??= new EdgeKeyMap(this.#viewer)
    if (this.#pendingRecords.get(check) === pendingChecks) return undefined
    assertEdgeCheck(this.#kind, check)
    const { source, name, target } = check
    this.#pendingRecords.set(check, pendingChecks)
    if (state !== true) this.#states.set(check, pendingChecks)
    pendingChecks.push({ source, name, target, data: true })
    return undefined
  }

  /** Leaves out the checks whose edge is also checked with data. */
  withoutCovered(pendingChecks: PendingChecks): PendingChecks {
    const records = this.#pendingRecords
    if (records === undefined) return pendingChecks
    return pendingChecks.filter(check => check.data === true || records.get(check) !== pendingChecks)
  }
}
