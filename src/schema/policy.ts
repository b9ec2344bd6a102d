import type { Session } from '../base/session.ts'
import type { EdgeTest, NodeRecord } from '../store/contract.ts'

/** What a rule says of a record to a session; `skip` leaves it to the next rule. */
export type Decision = 'allow' | 'deny' | 'skip'

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
}

/** Rules in order: the first that allows or denies decides, and whom none allows is denied. */
export type Policy = readonly Rule[]
