import { isPromiseLike } from '../base/awaitable.ts'
import { describe } from '../base/describe.ts'
import { isPlainObject } from '../base/json.ts'
import type { Session } from '../base/session.ts'
import type { EdgeTest, NodeRecord } from '../store/contract.ts'

/** What a rule says of a record to a session; `skip` leaves it to the next rule. */
export type Decision = 'allow' | 'deny' | 'skip'

/**
 * What of a schema a ready-made rule speaks of: where that is not there the rule would never hold, and nobody would be
 * told. `of` is the ref that names the node in question, where it is not the record itself.
 */
export type RuleReference = { readonly rule: string } & (
  | { readonly kind: 'node'; readonly of: string | undefined }
  | {
      readonly kind: 'edgeOfViewer' | 'edgeToViewer'
      readonly edge: string
      readonly of: string | undefined
    }
  | { readonly kind: 'value'; readonly field: string; readonly value: string | number | boolean }
)

/**
 * One rule of a policy: pure and synchronous. It sees raw ids. What it throws denies.
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
  /** What audits name it by. */
  readonly name: string
  /** The edges that it must know of: those of all records of a level are asked in one read. */
  tests?(record: NodeRecord, session: Session): readonly EdgeTest[]
  /** `has[i]` tells whether the edge `tests(record, session)[i]` is there. */
  decide(record: NodeRecord, session: Session, has: readonly boolean[]): Decision
  /** Internal: what a ready-made rule speaks of, for the check of a schema. */
  readonly '~refers'?: readonly RuleReference[]
  /** Internal: how many of the rules that it is composed of have `tests`. */
  readonly '~rulesWithChecks'?: number
}

const NO_TESTS: readonly EdgeTest[] = Object.freeze([])

/** Nobody waits for what a rule promises, so that its failure would end the process. */
const dropPromise = (came: unknown): void => {
  if (isPromiseLike(came)) came.then(undefined, () => undefined)
}

/** The edges that a rule asks for. @throws TypeError for anything but a list, a promise say. */
export const testsOf = (rule: Rule, record: NodeRecord, session: Session): readonly EdgeTest[] => {
  const tests: unknown = rule.tests?.(record, session) ?? NO_TESTS
  if (Array.isArray(tests)) return tests
  dropPromise(tests)
  throw new TypeError(`${rule.name}: expected a list of tests, came ${describe(tests)}`)
}

/** What a rule decides. @throws TypeError for what is no decision, a promise say: under `not` it would let everyone in. */
export const decisionOf = (
  rule: Rule,
  record: NodeRecord,
  session: Session,
  has: readonly boolean[],
): Decision => {
  const decision: unknown = rule.decide(record, session, has)
  if (decision === 'allow' || decision === 'deny' || decision === 'skip') return decision
  dropPromise(decision)
  throw new TypeError(`${rule.name}: expected allow, deny or skip, came ${describe(decision)}`)
}

/** Rules in order: the first that allows or denies decides, and whom none allows is denied. */
export type Policy = readonly Rule[]

/** The number of rules of a policy that have `tests`. Of a rule made by `anyOf`, `allOf` or `not` each part counts. */
export const countRulesWithChecks = (rules: Policy = []): number =>
  rules.reduce((sum, rule) => sum + (rule['~rulesWithChecks'] ?? (rule.tests === undefined ? 0 : 1)), 0)

const isRule = (value: unknown): value is Rule =>
  isPlainObject(value) &&
  typeof value.name === 'string' &&
  value.name !== '' &&
  typeof value.decide === 'function' &&
  (value.tests === undefined || typeof value.tests === 'function')

/** Whether a value may stand as the policy of a declaration: rules, or nothing where everyone is let in. */
export const isPolicy = (value: unknown): value is Policy | undefined =>
  value === undefined || (Array.isArray(value) && value.every(isRule))

/** @throws TypeError for what is no rule. */
export const assertRule: (place: string, value: unknown) => asserts value is Rule = (place, value) => {
  if (isRule(value)) return
  throw new TypeError(
    `${place} must be a rule, with a name as text, a function decide and perhaps a function tests, came ${describe(value)}`,
  )
}

/**
 * The policy of a declaration as frozen data.
 *
 * @throws TypeError for what is no list of rules.
 */
export const policyOf = (place: string, policy: unknown): Policy | undefined => {
  if (policy === undefined) return undefined
  if (!Array.isArray(policy)) {
    throw new TypeError(`${place}: policy must be a list of rules, came ${describe(policy)}`)
  }
  const rules: readonly unknown[] = policy
  return Object.freeze(
    rules.map((rule, index) => {
      assertRule(`${place}: policy[${index}]`, rule)
      return rule
    }),
  )
}
