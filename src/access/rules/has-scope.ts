import type { Rule } from '../../schema/policy.ts'
import { assertWord } from './subject.ts'

/**
 * Allows where the token was granted the scope, else skips. Any word is a scope.
 *
 * @throws TypeError for a scope that is no text.
 * @example
 * ```ts
 * import { field, hasScope, isViewer } from 'kithgraph'
 *
 * const email = field.string({ policy: [isViewer(), hasScope('support')] })
 * console.log(email.policy?.map(rule => rule.name)) // [ 'isViewer', 'hasScope(support)' ]
 * ```
 */
export const hasScope = (scope: string): Rule => {
  assertWord('hasScope', 'a scope', scope)
  return Object.freeze({
    name: `hasScope(${scope})`,
    decide: (_record, { scopes }) => (scopes.includes(scope) ? 'allow' : 'skip'),
  } satisfies Rule)
}
