import type { Rule } from '../../schema/policy.ts'
import { assertNonEmptyText } from './subject.ts'

/**
 * Creates a rule that allows if the token has the scope, and else skips. Any word may be a scope.
 *
 * @throws TypeError for a scope that is not a string.
 * @example
 * ```ts
 * import { field, hasScope, isViewer } from 'kithgraph'
 *
 * const email = field.string({ policy: [isViewer(), hasScope('support')] })
 * console.log(email.policy?.map(rule => rule.name)) // [ 'isViewer', 'hasScope(support)' ]
 * ```
 */
export const hasScope = (scope: string): Rule => {
  assertNonEmptyText('hasScope', 'scope', scope)
  return Object.freeze({
    name: `hasScope(${scope})`,
    decide: (_record, { scopes }) => (scopes.includes(scope) ? 'allow' : 'skip'),
  } satisfies Rule)
}
