import { ignoreRejection } from '../base/awaitable.ts'
import { describeValue } from '../base/describe.ts'
import { isIdLike, type NodeId } from '../base/ids.ts'
import { isNonArrayObject } from '../base/json.ts'
import type { Session } from '../base/session.ts'
import { usageError, usageErrorAbout } from '../base/usage-error.ts'
import type { EdgeCheck, EdgeRecord, NodeRecord } from '../store/contract.ts'
import type { ConstantParameters } from './parameter.ts'

/** The decision of a rule about a record and a session. `skip` leaves the decision to the next rule. */
export type Decision = 'allow' | 'deny' | 'skip'

/**
 * A test of the stored values of an edge's fields. Every member must be equal (`===`) to the value, or to one of the
 * values of a list. An absent value is equal to none.
 */
export type EdgeDataTest = {
  readonly [field: string]: string | number | boolean | readonly (string | number | boolean)[]
}

/**
 * The part of a schema that a built-in rule refers to. `defineSchema` checks that this part exists, because
 * otherwise the rule would silently never allow. `subjectField` is the ref to the node that the rule is
 * about, or `undefined` if the rule is about the record itself.
 */
export type RuleReference = { readonly rule: string } & (
  | { readonly kind: 'node'; readonly subjectField: string | undefined }
  | {
      readonly kind: 'edgeOfViewer' | 'edgeToViewer'
      readonly edge: string
      readonly subjectField: string | undefined
      readonly parameters: ConstantParameters | undefined
      readonly where: EdgeDataTest | undefined
    }
  | { readonly kind: 'value'; readonly field: string; readonly value: string | number | boolean }
  | {
      readonly kind: 'visibleNode'
      readonly ref: string
      /** Whether the rule is inside `not`. */
      readonly isNegated: boolean
    }
)

/** The reference of a rule to an edge between a node and the viewer. */
export type EdgeReference = Extract<RuleReference, { readonly kind: 'edgeOfViewer' | 'edgeToViewer' }>

/** Returns the node that a rule is about, or `undefined` if the ref is not set. */
export const subjectOf = (record: NodeRecord, subjectField: string | undefined): NodeId | undefined => {
  if (subjectField === undefined) return record.id
  const id = record.fields[subjectField]
  return isIdLike(record.id, id) ? id : undefined
}

/** Returns the names of the stored lists that built-in rules check. */
export type RuleLists = { listOf(reference: EdgeReference, recordType: string): string }

/**
 * A rule of a policy. Its functions must be pure and synchronous, and they receive raw ids. If one of them
 * throws, the policy denies.
 *
 * @example
 * ```ts
 * import { type Rule } from 'kithgraph'
 *
 * const isPublished: Rule = {
 *   name: 'isPublished',
 *   decide: record => (record.fields.draft === true ? 'deny' : 'skip'),
 * }
 * console.log(isPublished.name) // isPublished
 * ```
 */
export type Rule = {
  /** The name of the rule in events. */
  readonly name: string
  /**
   * Returns the edges that `decide` needs, with `data: true` if it also needs their time or data. One store read
   * checks the edges of all records of a level.
   */
  checks?(record: NodeRecord, session: Session): readonly EdgeCheck[]
  /**
   * Returns the decision about a record. `found[i]` belongs to the edge `checks(record, session)[i]`: false if it
   * does not exist, otherwise its record if the check sets `data`, or true.
   */
  decide(record: NodeRecord, session: Session, found: readonly (boolean | EdgeRecord)[]): Decision
  /**
   * Internal: the parts of a schema that a built-in rule refers to. `defineSchema` checks that they exist.
   */
  readonly '~refers'?: readonly RuleReference[]
  /** Internal: `checks` of a built-in rule, with the stored lists of the schema. */
  '~checks'?(record: NodeRecord, session: Session, lists: RuleLists): readonly EdgeCheck[]
  /** Internal: the number of rules with `checks` in a composed rule. */
  readonly '~rulesWithChecks'?: number
  /** Internal: whether the rule is `canSee` or contains it, so that its checks contain keys of refs. */
  readonly '~inherits'?: boolean
}

const NO_CHECKS: readonly EdgeCheck[] = Object.freeze([])

/**
 * Returns the checks of a rule. Without `lists`, the checks name the edges of the schema instead of stored lists.
 *
 * @throws TypeError if `checks` returns a value that is not an array, such as a promise.
 */
export const readChecksOfRule = (
  rule: Rule,
  record: NodeRecord,
  session: Session,
  lists?: RuleLists,
): readonly EdgeCheck[] => {
  const checks: unknown =
    (lists === undefined || rule['~checks'] === undefined
      ? rule.checks?.(record, session)
      : rule['~checks'](record, session, lists)) ?? NO_CHECKS
  if (Array.isArray(checks)) return checks
  ignoreRejection(checks)
  throw usageErrorAbout(`${rule.name}.checks`, 'the result', 'an array of edge keys', describeValue(checks))
}

/**
 * Returns the decision of a rule.
 *
 * @throws TypeError if `decide` returns a value that is not a decision, such as a promise. Inside `not`, such
 * a value would allow everything.
 */
export const decideByRule = (
  rule: Rule,
  record: NodeRecord,
  session: Session,
  found: readonly (boolean | EdgeRecord)[],
): Decision => {
  const decision: unknown = rule.decide(record, session, found)
  if (decision === 'allow' || decision === 'deny' || decision === 'skip') return decision
  ignoreRejection(decision)
  throw usageErrorAbout(
    `${rule.name}.decide`,
    'the result',
    '"allow", "deny" or "skip"',
    describeValue(decision),
  )
}

/**
 * An ordered list of rules. The first rule that allows or denies decides. If no rule decides, the policy
 * denies.
 */
export type Policy = readonly Rule[]

/** Counts the rules with `checks`. Each part of a rule composed by `anyOf`, `allOf` or `not` counts. */
export const countRulesWithChecks = (rules: Policy = []): number =>
  rules.reduce((sum, rule) => sum + (rule['~rulesWithChecks'] ?? (rule.checks === undefined ? 0 : 1)), 0)

const isRule = (value: unknown): value is Rule =>
  isNonArrayObject(value) &&
  typeof value.name === 'string' &&
  value.name !== '' &&
  typeof value.decide === 'function' &&
  (value.checks === undefined || typeof value.checks === 'function')

/** Whether a value is a policy, or `undefined` for no policy. */
export const isPolicy = (value: unknown): value is Policy | undefined =>
  value === undefined || (Array.isArray(value) && value.every(isRule))

/** @throws TypeError for a value that is not a rule. */
export const assertRule: (location: string, name: string, value: unknown) => asserts value is Rule = (
  location,
  name,
  value,
) => {
  if (isRule(value)) return
  const expected = 'a rule: an object with a name, a function "decide" and optionally a function "checks"'
  throw usageError(location, name, expected, describeValue(value))
}

/**
 * Validates the policy of a declaration, and returns a frozen copy.
 *
 * @throws TypeError for a value that is not an array of rules.
 */
export const toPolicy = (location: string, policy: unknown): Policy | undefined => {
  if (policy === undefined) return undefined
  if (!Array.isArray(policy)) {
    throw usageError(location, 'policy', 'an array of rules', describeValue(policy))
  }
  const rules: readonly unknown[] = policy
  return Object.freeze(
    rules.map((rule, index) => {
      assertRule(location, `policy[${index}]`, rule)
      return rule
    }),
  )
}
