import { isNodeId } from '../base/ids.ts'
import type { Session } from '../base/session.ts'
import { forEachWithPauses, type ReadTask } from '../core/batching.ts'
import type { Denial, EventReporter } from '../core/events.ts'
import {
  type Decision,
  decideByRule,
  type Policy,
  type Rule,
  type RuleReference,
  readChecksOfRule,
} from '../schema/policy.ts'
import type { Registry } from '../schema/registry.ts'
import type { EdgeCheck, EdgeRecord, NodeRecord } from '../store/contract.ts'
import { EdgeChecks, type PendingChecks } from './edge-checks.ts'

/** A record and the policy to evaluate for it. Without a policy, the record is visible to every session. */
export type PolicyCheck = { readonly policy: Policy | undefined; readonly record: NodeRecord }

/** The check results that a rule without checks receives. */
const NO_CHECK_RESULTS: readonly (boolean | EdgeRecord)[] = Object.freeze([])

/** The rule name of a denial if no rule decided. */
const UNDECIDED_RULE_NAME = 'no rule'

/**
 * Whether a stored value is valid for its field. A field that the schema does not declare has no valid
 * values.
 */
const isValidValue = (registry: Registry, type: string, name: string, stored: unknown): boolean => {
  const field = registry.getField(type, name)
  if (field?.kind === 'value') return field.type.isValid(stored)
  return field?.kind === 'ref' && isNodeId(stored)
}

const hasBadValue = (registry: Registry, { type, fields }: NodeRecord, reference: RuleReference): boolean => {
  const name = reference.kind === 'value' ? reference.field : reference.subjectField
  if (name === undefined) return false
  const stored = fields[name]
  if (stored === undefined || stored === null) return false
  // `defineSchema` has checked that the value of the rule is valid for the field.
  if (reference.kind === 'value')
    return stored !== reference.value && !isValidValue(registry, type, name, stored)
  return !isNodeId(stored)
}

/**
 * Whether a built-in rule, alone or inside a composed rule, reads a field with a bad value. Such a rule
 * denies, because otherwise `not(fieldEquals('private', true))` would allow a record whose `private` is
 * `'true'`.
 */
const readsBadValue = (registry: Registry, rule: Rule, record: NodeRecord): boolean => {
  const references = rule['~refers']
  if (references === undefined) return false
  for (const reference of references) if (hasBadValue(registry, record, reference)) return true
  return false
}

/**
 * Whether an edge that was found for a built-in rule has a bad value in a field that the rule tests. Such a rule
 * denies, for the same reason as a rule that reads a field with a bad value.
 */
const findsBadValue = (
  { ruleEdges }: Registry,
  rule: Rule,
  { type }: NodeRecord,
  found: readonly (boolean | EdgeRecord)[],
): boolean => {
  for (const edge of found) {
    if (typeof edge === 'boolean') continue
    for (const reference of rule['~refers'] ?? [])
      if ('edge' in reference && ruleEdges.hasBadValue(reference, type, edge)) return true
  }
  return false
}

/** Decides which data the viewer of a call may see. Reads each check from the store at most once per call. */
export class PolicyEvaluator {
  readonly #registry: Registry
  readonly #session: Session
  readonly #reporter: Pick<EventReporter, 'reportRule'> | undefined
  #checks: EdgeChecks | undefined
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
   * Returns the result of a check: false if the edge does not exist, otherwise its record for a check with data, or
   * true. If the check has not been read yet, returns `undefined` and adds it to `pendingChecks`.
   */
  findEdge(check: EdgeCheck, pendingChecks: PendingChecks): boolean | EdgeRecord | undefined {
    this.#checks ??= new EdgeChecks(this.#session.viewer)
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

  /** Reads the pending checks in one store read, if there are any. */
  *readChecks(pendingChecks: PendingChecks): ReadTask<void> {
    if (pendingChecks.length > 0 && this.#checks !== undefined) yield* this.#checks.read(pendingChecks)
  }

  /**
   * Returns true if the policy allows, `undefined` if checks have to be read first, or the name of the rule
   * that denies.
   */
  #evaluatePolicy(
    policy: Policy,
    record: NodeRecord,
    pendingChecks: PendingChecks,
  ): true | undefined | string {
    let isUndecided = false
    for (const rule of policy) {
      const decision = this.#evaluateRule(rule, record, pendingChecks)
      isUndecided ||= decision === undefined
      if (isUndecided || decision === 'skip') continue
      return decision === 'allow' ? true : rule.name
    }
    return isUndecided ? undefined : UNDECIDED_RULE_NAME
  }

  /** Returns the decision of a rule, or `undefined` if one of its checks has to be read first. */
  #evaluateRule(rule: Rule, record: NodeRecord, pendingChecks: PendingChecks): Decision | undefined {
    try {
      if (readsBadValue(this.#registry, rule, record)) return 'deny'
      const found =
        rule.checks === undefined
          ? NO_CHECK_RESULTS
          : this.#checkEdges(
              readChecksOfRule(rule, record, this.#session, this.#registry.ruleEdges),
              pendingChecks,
            )
      if (found === undefined) return undefined
      if (findsBadValue(this.#registry, rule, record, found)) return 'deny'
      return decideByRule(rule, record, this.#session, found)
    } catch (error) {
      this.#reportedRules ??= new Set()
      if (!this.#reportedRules.has(rule.name)) this.#reporter?.reportRule(rule.name, error)
      this.#reportedRules.add(rule.name)
      return 'deny'
    }
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
