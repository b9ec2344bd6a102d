import type { NodeId } from '../../base/ids.ts'
import type { Rule } from '../../schema/policy.ts'
import type { EdgeTest } from '../../store/contract.ts'
import { assertWord, ofOption, type RuleOptions, subjectOf } from './subject.ts'

type Definition = {
  readonly maker: string
  readonly kind: 'edgeOfViewer' | 'edgeToViewer'
  readonly edge: string
  readonly options: RuleOptions | undefined
  readonly testOf: (subject: NodeId, viewer: NodeId) => EdgeTest
}

/** Allows where one edge between the node in question and the viewer is there. */
const edgeRule = ({ maker, kind, edge, options, testOf }: Definition): Rule => {
  assertWord(maker, 'the name of an edge', edge)
  const of = ofOption(maker, options)
  const name = of === undefined ? `${maker}(${edge})` : `${maker}(${edge}, of ${of})`
  return Object.freeze({
    name,
    tests: (record, { viewer }) => {
      const subject = subjectOf(record, of)
      return subject === undefined || viewer === undefined ? [] : [testOf(subject, viewer)]
    },
    decide: (_record, _session, has) => (has[0] === true ? 'allow' : 'skip'),
    '~refers': Object.freeze([{ rule: name, kind, edge, of }]),
  } satisfies Rule)
}

/**
 * Allows where the viewer has an edge of that name to the record, or to the node that the ref `of` of the record
 * names. Skips where it has none, where the ref names no node, and where the token has no viewer.
 *
 * @throws TypeError for a name that is no text, or options that there are not.
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
  edgeRule({
    maker: 'viewerHasEdge',
    kind: 'edgeOfViewer',
    edge,
    options,
    testOf: (subject, viewer) => ({ source: viewer, name: edge, target: subject }),
  })

/**
 * Allows where the record, or the node that the ref `of` of the record names, has an edge of that name to the viewer.
 * Skips where it has none, where the ref names no node, and where the token has no viewer.
 *
 * @throws TypeError for a name that is no text, or options that there are not.
 * @example
 * ```ts
 * import { edge, hasEdgeToViewer, node } from 'kithgraph'
 *
 * const group = node({ policy: [hasEdgeToViewer('members')], edges: { members: edge('user') } })
 * console.log(group.policy?.[0]?.name) // hasEdgeToViewer(members)
 * ```
 */
export const hasEdgeToViewer = (edge: string, options?: RuleOptions): Rule =>
  edgeRule({
    maker: 'hasEdgeToViewer',
    kind: 'edgeToViewer',
    edge,
    options,
    testOf: (subject, viewer) => ({ source: subject, name: edge, target: viewer }),
  })
