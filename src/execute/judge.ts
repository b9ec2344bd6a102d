import { isNodeId } from '../base/ids.ts'
import type { Session } from '../base/session.ts'
import { type Decision, decisionOf, type Policy, type Rule, testsOf } from '../schema/policy.ts'
import type { Registry } from '../schema/registry.ts'
import type { EdgeTest, NodeRecord } from '../store/contract.ts'
import { askTests } from '../store/nothing.ts'
import type { Denial } from './read-event.ts'
import type { Reporter } from './reporter.ts'
import { readsBadValue } from './rule-values.ts'
import { TestMap } from './test-map.ts'
import { inStretches, type Walk } from './walk.ts'

/** Tests to be asked of the store, each once. */
export type Wanted = EdgeTest[]

/** A record under a policy; undefined: open to every session. */
export type Case = { readonly policy: Policy | undefined; readonly record: NodeRecord }

/** What a rule is told that asks for no edges. */
const NONE: readonly boolean[] = Object.freeze([])

/** Whom no rule allows is denied by none in particular. */
const NO_RULE = 'no rule'

const assertTest = ({ source, name, target }: EdgeTest): void => {
  if (isNodeId(source) && isNodeId(target) && typeof name === 'string' && name.isWellFormed()) return
  throw new TypeError('A test of a rule must be { source, name, target } with the ids of nodes')
}

/**
 * Decides for one call what its viewer may see. What the store was asked once it is not asked again in the same call.
 */
export class Judge {
  readonly #registry: Registry
  readonly #session: Session
  readonly #reporter: Pick<Reporter, 'rule'> | undefined
  /** What the store answered; of what is still to be asked, the list that it stands in. */
  readonly #known: TestMap<boolean | Wanted>
  readonly #denials = new Map<string, number>()
  readonly #thrown = new Set<string>()

  constructor(session: Session, registry: Registry, reporter: Pick<Reporter, 'rule'> | undefined) {
    this.#registry = registry
    this.#session = session
    this.#reporter = reporter
    this.#known = new TestMap(session.viewer)
  }

  get denials(): readonly Denial[] {
    return [...this.#denials].map(([rule, count]) => ({ rule, count }))
  }

  /** Whether the edge is there, where that is known; else undefined, and the test is among those wanted. */
  has(test: EdgeTest, wanted: Wanted): boolean | undefined {
    const known = this.#known.get(test)
    if (typeof known === 'boolean') return known
    if (known === wanted) return undefined
    assertTest(test)
    // A rule may use its object again for the next record.
    const { source, name, target } = test
    this.#known.set(test, wanted)
    wanted.push({ source, name, target })
    return undefined
  }

  /**
   * Whether a policy lets the record be seen. Undefined where tests are to be asked first, which then are among those
   * wanted: of all rules from the first open one on, so that one wave is enough.
   */
  allows(policy: Policy | undefined, record: NodeRecord, wanted: Wanted): boolean | undefined {
    if (policy === undefined) return true
    const verdict = this.#verdict(policy, record, wanted)
    if (typeof verdict !== 'string') return verdict
    this.#denials.set(verdict, (this.#denials.get(verdict) ?? 0) + 1)
    return false
  }

  /** Adds what a policy will want to know of a record, should it be asked later. */
  foresee(policy: Policy, record: NodeRecord, wanted: Wanted): void {
    this.#verdict(policy, record, wanted)
  }

  /** Reads what is wanted, in one wave if there is anything. */
  *learn(wanted: Wanted): Walk<void> {
    if (wanted.length === 0) return
    const { tests } = yield askTests(wanted)
    for (const [index, test] of wanted.entries()) this.#known.set(test, tests[index] ?? false)
  }

  /** True, undefined where tests are missing, or the name of the rule that denies. */
  #verdict(policy: Policy, record: NodeRecord, wanted: Wanted): true | undefined | string {
    let isOpen = false
    for (const rule of policy) {
      const decision = this.#ask(rule, record, wanted)
      isOpen ||= decision === undefined
      if (isOpen || decision === 'skip') continue
      return decision === 'allow' ? true : rule.name
    }
    return isOpen ? undefined : NO_RULE
  }

  /** What a rule decides; undefined where a test of its own is still to be asked. */
  #ask(rule: Rule, record: NodeRecord, wanted: Wanted): Decision | undefined {
    try {
      if (readsBadValue(this.#registry, rule, record)) return 'deny'
      const has =
        rule.tests === undefined ? NONE : this.#answers(testsOf(rule, record, this.#session), wanted)
      return has && decisionOf(rule, record, this.#session, has)
    } catch (error) {
      if (!this.#thrown.has(rule.name)) this.#reporter?.rule(rule.name, error)
      this.#thrown.add(rule.name)
      return 'deny'
    }
  }

  /** Which of some edges are there; undefined where one is still to be asked for. */
  #answers(tests: readonly EdgeTest[], wanted: Wanted): boolean[] | undefined {
    const has: boolean[] = []
    for (const test of tests) {
      const known = this.has(test, wanted)
      if (known !== undefined) has.push(known)
    }
    return has.length < tests.length ? undefined : has
  }
}

/** Decides all cases, with one wave of tests at the most. `foresee` adds what will be asked later, to go out with them. */
export function* judged(
  judge: Judge,
  cases: readonly Case[],
  foresee?: (wanted: Wanted) => void,
): Walk<boolean[]> {
  const wanted: Wanted = []
  const verdicts: (boolean | undefined)[] = []
  yield* inStretches(cases, ({ policy, record }) => {
    verdicts.push(judge.allows(policy, record, wanted))
  })
  foresee?.(wanted)
  yield* judge.learn(wanted)
  const decided: boolean[] = []
  yield* inStretches(cases, ({ policy, record }, index) => {
    decided.push(verdicts[index] ?? judge.allows(policy, record, wanted) === true)
  })
  return decided
}
