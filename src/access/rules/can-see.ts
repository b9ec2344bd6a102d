import { describeValue } from '../../base/describe.ts'
import { isIdLike } from '../../base/ids.ts'
import { usageError } from '../../base/usage-error.ts'
import type { Rule } from '../../schema/policy.ts'
import { RefKey } from '../../schema/ref-key.ts'

/**
 * Creates a rule that allows if the viewer may see the node that a ref of the record leads to. The policy of
 * that node's own type decides, and a type without a policy is visible to every session. Otherwise, the rule
 * skips: if the ref is not set or its value is not an id, if the node does not exist or is hidden, or if the
 * ref does not declare the type of the node. The scope and the policy of the ref itself have no effect.
 *
 * The policy of the other node may contain `canSee` too. A policy follows at most 4 refs in a row, and
 * `canSee` skips after that. It cannot be used inside `not`.
 *
 * @throws TypeError if the name is not a string or is empty.
 * @example
 * ```ts
 * import { canSee, defineSchema, edge, field, hasEdgeToViewer, node } from 'kithgraph'
 *
 * const schema = defineSchema(
 *   {
 *     person: node({}),
 *     group: node({ policy: [hasEdgeToViewer('members')], edges: { members: edge('person') } }),
 *     // A post is visible to those who see its group.
 *     post: node({ policy: [canSee('group')], fields: { group: field.ref('group') } }),
 *   },
 *   { viewers: ['person'] },
 * )
 * console.log(schema.types.post.policy?.[0]?.name) // canSee(group)
 * ```
 */
export const canSee = (ref: string): Rule => {
  if (typeof ref !== 'string' || ref === '')
    throw usageError('canSee', 'ref', 'a string that is not empty', describeValue(ref))
  const name = `canSee(${ref})`
  return Object.freeze({
    name,
    checks: ({ id, fields }) => {
      const target = fields[ref]
      return isIdLike(id, target) ? [new RefKey(id, ref, target)] : []
    },
    decide: (_record, _session, found) => (found[0] === true ? 'allow' : 'skip'),
    '~refers': Object.freeze([{ rule: name, kind: 'visibleNode', ref, isNegated: false }]),
    // The store does not check an edge for the rule itself.
    '~rulesWithChecks': 0,
    '~inherits': true,
  } satisfies Rule)
}
