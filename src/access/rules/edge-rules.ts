import type { NodeId } from '../../base/ids.ts'
import type { Rule } from '../../schema/policy.ts'
import type { EdgeKey } from '../../store/contract.ts'
import { assertNonEmptyText, type RuleOptions, readOfOption, subjectOf } from './subject.ts'

type EdgeRuleDefinition = {
  readonly functionName: string
  readonly kind: 'edgeOfViewer' | 'edgeToViewer'
  readonly edge: string
  readonly options: RuleOptions | undefined
  readonly createCheck: (subject: NodeId, viewer: NodeId) => EdgeKey
}

/** Creates a rule that allows if an edge between a node and the viewer exists. */
const createEdgeRule = ({ functionName, kind, edge, options, createCheck }: EdgeRuleDefinition): Rule => {
  assertNonEmptyText(functionName, 'edge', edge)
  const subjectField = readOfOption(functionName, options)
  const name =
    subjectField === undefined ? `${functionName}(${edge})` : `${functionName}(${edge}, of ${subjectField})`
  return Object.freeze({
    name,
    checks: (record, { viewer }) => {
      const subject = subjectOf(record, subjectField)
      return subject === undefined || viewer === undefined ? [] : [createCheck(subject, viewer)]
    },
    decide: (_record, _session, found) => (found[0] === true ? 'allow' : 'skip'),
    '~refers': Object.freeze([{ rule: name, kind, edge, subjectField }]),
  } satisfies Rule)
}

/**
 * Creates a rule that allows if the viewer has an edge of that name to the record, or to the node that the
 * ref `of` of the record refers to. It skips if the edge does not exist, if the ref is not set, and if the
 * token has no viewer.
 *
 * @throws TypeError for a name that is not a string, or an unknown option.
 * @example
 * ```ts
 * import { edge, field, isViewer, node, viewerHasEdge } from 'kithgraph'
 *
 * const user = node({
 *   policy: [isViewer(), viewerHasEdge('friends')],
 *   edges: { friends: edge('user', { symmetric: true }) },
 * })
 * const photo = node({
 *   policy: [viewerHasEdge('friends', { of: 'from' })],
 *   fields: { from: field.ref('user') },
 * })
 * console.log(user.policy?.length, photo.policy?.[0]?.name) // 2 viewerHasEdge(friends, of from)
 * ```
 */
export const viewerHasEdge = (edge: string, options?: RuleOptions): Rule =>
  createEdgeRule({
    functionName: 'viewerHasEdge',
    kind: 'edgeOfViewer',
    edge,
    options,
    createCheck: (subject, viewer) => ({ source: viewer, name: edge, target: subject }),
  })

/**
 * Creates a rule that allows if the record, or the node that the ref `of` of the record refers to, has an
 * edge of that name to the viewer. It skips if the edge does not exist, if the ref is not set, and if the
 * token has no viewer.
 *
 * @throws TypeError for a name that is not a string, or an unknown option.
 * @example
 * ```ts
 * import { edge, hasEdgeToViewer, node } from 'kithgraph'
 *
 * const group = node({ policy: [hasEdgeToViewer('members')], edges: { members: edge('user') } })
 * console.log(group.policy?.[0]?.name) // hasEdgeToViewer(members)
 * ```
 */
export const hasEdgeToViewer = (edge: string, options?: RuleOptions): Rule =>
  createEdgeRule({
    functionName: 'hasEdgeToViewer',
    kind: 'edgeToViewer',
    edge,
    options,
    createCheck: (subject, viewer) => ({ source: subject, name: edge, target: viewer }),
  })
