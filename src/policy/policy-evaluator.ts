import { describeValue } from '../base/describe.ts'
import { isNodeId } from '../base/ids.ts'
import type { Session } from '../base/session.ts'
import { usageErrorAbout } from '../base/usage-error.ts'
import { forEachWithPauses, type ReadTask } from '../core/batching.ts'
import type { Denial, EventReporter } from '../core/events.ts'
import { MAX_INHERITANCE_DEPTH } from '../schema/inheritance.ts'
import { type Decision, decideByRule, type Policy, type Rule, readChecksOfRule } from '../schema/policy.ts'
import { RefKey } from '../schema/ref-key.ts'
import type { Registry } from '../schema/registry.ts'
import type { EdgeKey, NodeRecord } from '../store/contract.ts'
import { checksRequest } from '../store/requests.ts'
import { readsBadValue } from './bad-rule-values.ts'
import { EdgeKeyMap } from './edge-key-map.ts'
import { InheritedVisibility } from './inherited-visibility.ts'

/**
 * The checks that have to be read from the store, without duplicates. Under `canSee`, the list also contains
 * nodes that have to be read.
 */
export type PendingChecks = EdgeKey[]

/** A record and the policy to evaluate for it. Without a policy, the record is visible to every session. */
export type PolicyCheck = { readonly policy: Policy | undefined; readonly record: NodeRecord }

/** The check results that a rule without checks receives. */
const NO_CHECK_RESULTS: readonly boolean[] = Object.freeze([])

/** The rule name of a denial if no rule decided. */
const UNDECIDED_RULE_NAME = 'no rule'

const assertEdgeKey = (key: EdgeKey): void => {
  const { source, name, target } = key
  const isValid = isNodeId(source) && isNodeId(target) && typeof name === 'string' && name.isWellFormed()
  // Outside of the ready-made rules, nothing would prevent a rule that denies if a node is visible.
  if (isValid && !(key instanceof RefKey)) return
  throw usageErrorAbout(
    'checks',
    'each edge key',
    '{ source, name, target } with two node ids',
    describeValue(key),
  )
}

/** Decides which data the viewer of a call may see. Reads each check from the store at most once per call. */
export class PolicyEvaluator {
  readonly #registry: Registry
  readonly #session: Session
  readonly #reporter: Pick<EventReporter, 'reportRule'> | undefined
  /**
   * Maps each check to its result, or to the pending list that contains it if the check has not been read
   * yet.
   */
  #checkResults: EdgeKeyMap<boolean | PendingChecks> | undefined
  #inheritedVisibility: InheritedVisibility | undefined
  #denials: Map<string, number> | undefined
  #reportedRules: Set<string> | undefined

  constructor(session: Session, registry: Registry, reporter: Pick<EventReporter, 'reportRule'> | undefined) {
    this.#registry = registry
    this.#session = session
    this.#reporter = reporter
  }

  get denials(): readonly Denial[] {
    return [...(this.#denials ?? [])].map(([rule, count]) => ({ rule, count }))
  }

  /**
   * Returns whether an edge exists. If the check has not been read yet, returns `undefined` and adds the
   * check to `pendingChecks`.
   */
  hasEdge(check: EdgeKey, pendingChecks: PendingChecks): boolean | undefined {
    this.#checkResults ??= new EdgeKeyMap(this.#session.viewer)
    const knownResult = this.#checkResults.get(check)
    if (typeof knownResult === 'boolean') return knownResult
    if (knownResult === pendingChecks) return undefined
    assertEdgeKey(check)
    // The key is copied, because a rule may reuse its object for the next record.
    const { source, name, target } = check
    this.#checkResults.set(check, pendingChecks)
    pendingChecks.push({ source, name, target })
    return undefined
  }

  /**
   * Returns whether a policy allows a record. If checks have to be read first, returns `undefined`, and adds
   * the checks of the first undecided rule and of all rules after it to `pendingChecks`, so that one read is
   * enough.
   */
  allows(policy: Policy | undefined, record: NodeRecord, pendingChecks: PendingChecks): boolean | undefined {
    if (policy === undefined) return true
    const decision = this.#evaluatePolicy(policy, record, pendingChecks)
    if (typeof decision !== 'string') return decision
    this.#denials ??= new Map()
    this.#denials.set(decision, (this.#denials.get(decision) ?? 0) + 1)
    return false
  }

  /** Adds the checks that a later evaluation of a policy for a record needs. */
  collectChecks(policy: Policy, record: NodeRecord, pendingChecks: PendingChecks): void {
    this.#evaluatePolicy(policy, record, pendingChecks)
  }

  /**
   * Reads the pending checks in one store read, if there are any. Policies with `canSee` may take further
   * reads.
   */
  *readChecks(pendingChecks: PendingChecks): ReadTask<void> {
    if (pendingChecks.length === 0) return
    if (this.#inheritedVisibility !== undefined) return yield* this.#inheritedVisibility.read(pendingChecks)
    const { checks } = yield checksRequest(pendingChecks)
    this.#keepResults(pendingChecks, checks)
  }

  #keepResults(checks: readonly EdgeKey[], results: readonly boolean[]): void {
    for (const [index, check] of checks.entries()) this.#checkResults?.set(check, results[index] ?? false)
  }

  /**
   * Returns true if the policy allows, `undefined` if checks have to be read first, or the name of the rule
   * that denies. `depth` is the number of refs that `canSee` may follow in a row.
   */
  #evaluatePolicy(
    policy: Policy,
    record: NodeRecord,
    pendingChecks: PendingChecks,
    depth = MAX_INHERITANCE_DEPTH,
  ): true | undefined | string {
    let isUndecided = false
    for (const rule of policy) {
      const decision = this.#evaluateRule(rule, record, pendingChecks, depth)
      isUndecided ||= decision === undefined
      if (isUndecided || decision === 'skip') continue
      return decision === 'allow' ? true : rule.name
    }
    return isUndecided ? undefined : UNDECIDED_RULE_NAME
  }

  /** Returns the decision of a rule, or `undefined` if one of its checks has to be read first. */
  #evaluateRule(
    rule: Rule,
    record: NodeRecord,
    pendingChecks: PendingChecks,
    depth: number,
  ): Decision | undefined {
    try {
      if (readsBadValue(this.#registry, rule, record)) return 'deny'
      const found =
        rule.checks === undefined ? NO_CHECK_RESULTS : this.#readFound(rule, record, pendingChecks, depth)
      return found && decideByRule(rule, record, this.#session, found)
    } catch (error) {
      this.#reportedRules ??= new Set()
      if (!this.#reportedRules.has(rule.name)) this.#reporter?.reportRule(rule.name, error)
      this.#reportedRules.add(rule.name)
      return 'deny'
    }
  }

  #readFound(
    rule: Rule,
    record: NodeRecord,
    pendingChecks: PendingChecks,
    depth: number,
  ): readonly boolean[] | undefined {
    const checks = readChecksOfRule(rule, record, this.#session)
    if (rule['~inherits'] !== true) return this.#checkEdges(checks, pendingChecks)
    this.#inheritedVisibility ??= new InheritedVisibility(this.#registry, {
      allows: (policy, node, pending, maxDepth) => {
        const decision = this.#evaluatePolicy(policy, node, pending, maxDepth)
        return decision === undefined ? undefined : decision === true
      },
      hasEdge: (check, pending) => this.hasEdge(check, pending),
      keepResults: (keys, results) => this.#keepResults(keys, results),
    })
    return this.#inheritedVisibility.check(record, checks, depth, pendingChecks)
  }

  /** Returns which of the edges exist, or `undefined` if one of the checks has to be read first. */
  #checkEdges(checks: readonly EdgeKey[], pendingChecks: PendingChecks): boolean[] | undefined {
    const found: boolean[] = []
    for (const check of checks) {
      const exists = this.hasEdge(check, pendingChecks)
      if (exists !== undefined) found.push(exists)
    }
    return found.length < checks.length ? undefined : found
  }
}

/**
 * Evaluates policies with at most one read of checks. `collectLaterChecks` adds to this read the checks that
 * are needed later.
 */
export function* evaluatePolicies(
  evaluator: PolicyEvaluator,
  policyChecks: readonly PolicyCheck[],
  collectLaterChecks?: (pendingChecks: PendingChecks) => void,
): ReadTask<boolean[]> {
  const pendingChecks: PendingChecks = []
  const decisions: (boolean | undefined)[] = []
  yield* forEachWithPauses(policyChecks, ({ policy, record }) => {
    decisions.push(evaluator.allows(policy, record, pendingChecks))
  })
  collectLaterChecks?.(pendingChecks)
  yield* evaluator.readChecks(pendingChecks)
  const visible: boolean[] = []
  yield* forEachWithPauses(policyChecks, ({ policy, record }, index) => {
    visible.push(decisions[index] ?? evaluator.allows(policy, record, pendingChecks) === true)
  })
  return visible
}
