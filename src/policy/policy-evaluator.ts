import type { Session } from '../base/session.ts'
import { forEachWithPauses, type ReadTask } from '../core/batching.ts'
import type { Denial, EventReporter } from '../core/events.ts'
import type { ReadGuard } from '../core/read-guard.ts'
import { MAX_INHERITANCE_DEPTH } from '../schema/inheritance.ts'
import { type Decision, decideByRule, type Policy, type Rule, readChecksOfRule } from '../schema/policy.ts'
import type { Registry } from '../schema/registry.ts'
import type { Condition, EdgeCheck, EdgeRecord, NodeRecord } from '../store/contract.ts'
import { findsBadValue, readsBadValue } from './bad-rule-values.ts'
import { EdgeChecks, type PendingChecks } from './edge-checks.ts'
import { InheritedVisibility } from './inherited-visibility.ts'
import { createConditions } from './policy-conditions.ts'

/** A record and the policy to evaluate for it. Without a policy, the record is visible to every session. */
export type PolicyCheck = { readonly policy: Policy | undefined; readonly record: NodeRecord }

/** The check results that a rule without checks receives. */
const NO_CHECK_RESULTS: readonly (boolean | EdgeRecord)[] = Object.freeze([])

/** The rule name of a denial if no rule decided. */
const UNDECIDED_RULE_NAME = 'no rule'

/** Decides which data the viewer of a call may see. Reads each check from the store at most once per call. */
export class PolicyEvaluator {
  readonly #registry: Registry
  readonly #session: Session
  readonly #reporter: Pick<EventReporter, 'reportRule'> | undefined
  readonly #readGuard: ReadGuard | undefined
  #checks: EdgeChecks | undefined
  #inheritedVisibility: InheritedVisibility | undefined
  #conditionsByType: Map<string, readonly Condition[] | undefined> | undefined
  #denials: Map<string, number> | undefined
  #reportedRules: Set<string> | undefined

  constructor(
    session: Session,
    registry: Registry,
    reporter: Pick<EventReporter, 'reportRule'> | undefined,
    readGuard?: ReadGuard,
  ) {
    this.#readGuard = readGuard
    this.#registry = registry
    this.#session = session
    this.#reporter = reporter
  }

  get denials(): readonly Denial[] {
    return [...(this.#denials ?? [])].map(([rule, count]) => ({ rule, count }))
  }

  /** Returns what the session may see of a type, as conditions, as `createConditions` does. */
  conditionsOf(type: string): readonly Condition[] | undefined {
    this.#conditionsByType ??= new Map()
    const existing = this.#conditionsByType.get(type)
    if (existing !== undefined || this.#conditionsByType.has(type)) return existing
    const conditions = createConditions(this.#registry, this.#session, type)
    this.#conditionsByType.set(type, conditions)
    return conditions
  }

  /**
   * Returns the result of a check: false if the edge does not exist, otherwise its record for a check with data, or
   * true. If the check has not been read yet, returns `undefined` and adds it to `pendingChecks`.
   */
  findEdge(check: EdgeCheck, pendingChecks: PendingChecks): boolean | EdgeRecord | undefined {
    this.#checks ??= new EdgeChecks(this.#registry.ids.kind, this.#session.viewer)
    return this.#checks.find(check, pendingChecks)
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
    if (this.#inheritedVisibility !== undefined) yield* this.#inheritedVisibility.read(pendingChecks)
    else if (this.#checks !== undefined) yield* this.#checks.read(pendingChecks)
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
    if (record.heldCondition !== undefined) this.#keepHeld(record)
    let isUndecided = false
    for (const rule of policy) {
      const decision = this.#evaluateRule(rule, record, pendingChecks, depth)
      isUndecided ||= decision === undefined
      if (isUndecided || decision === 'skip') continue
      return decision === 'allow' ? true : rule.name
    }
    return isUndecided ? undefined : UNDECIDED_RULE_NAME
  }

  #keepHeld(record: NodeRecord): void {
    const conditions = this.conditionsOf(record.type)
    if (conditions === undefined) return
    this.#checks ??= new EdgeChecks(this.#registry.ids.kind, this.#session.viewer)
    this.#checks.keepHeld(record, conditions)
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
      const received = this.#readGuard === undefined ? record : this.#readGuard.recordFor(rule, record)
      const found =
        rule.checks === undefined ? NO_CHECK_RESULTS : this.#readFound(rule, received, pendingChecks, depth)
      if (found === undefined) return undefined
      if (findsBadValue(this.#registry, rule, record, this.#session.viewer, found)) return 'deny'
      return decideByRule(rule, received, this.#session, found)
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
  ): readonly (boolean | EdgeRecord)[] | undefined {
    const checks = readChecksOfRule(rule, record, this.#session, this.#registry.ruleEdges)
    if (rule['~inherits'] !== true) return this.#checkEdges(checks, pendingChecks)
    this.#checks ??= new EdgeChecks(this.#registry.ids.kind, this.#session.viewer)
    this.#inheritedVisibility ??= new InheritedVisibility(
      this.#registry,
      this.#checks,
      (policy, node, pending, maxDepth) => {
        const decision = this.#evaluatePolicy(policy, node, pending, maxDepth)
        return decision === undefined ? undefined : decision === true
      },
    )
    return this.#inheritedVisibility.check(record, checks, depth, pendingChecks)
  }

  /** Returns the results of the checks, or `undefined` if one of the checks has to be read first. */
  #checkEdges(
    checks: readonly EdgeCheck[],
    pendingChecks: PendingChecks,
  ): readonly (boolean | EdgeRecord)[] | undefined {
    const found: (boolean | EdgeRecord)[] = []
    for (const check of checks) {
      const result = this.findEdge(check, pendingChecks)
      if (result !== undefined) found.push(result)
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
