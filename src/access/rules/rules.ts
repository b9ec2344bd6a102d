import { describeValue } from '../../base/describe.ts'
import { isNodeId, type NodeId } from '../../base/ids.ts'
import { assertOptionKinds, type OptionKinds } from '../../base/options.ts'
import { usageError } from '../../base/usage-error.ts'
import type { Rule } from '../../schema/policy.ts'
import type { EdgeKey, NodeRecord } from '../../store/contract.ts'

/** The options of `isViewer`, `viewerHasEdge` and `hasEdgeToViewer`. */
export type RuleOptions = {
  /**
   * The name of a ref field. The rule is then about the node that the ref leads to. By default, the rule is
   * about the record itself. If the stored value is not an id, the policy denies.
   */
  readonly of?: string | undefined
}

const OPTION_KINDS = { of: 'text' } as const satisfies OptionKinds

/** Validates the options of a rule, and returns `of`. */
const readOfOption = (location: string, options: RuleOptions | undefined): string | undefined => {
  assertOptionKinds(location, options, OPTION_KINDS)
  return options?.of
}

/** Returns the node that a rule is about, or `undefined` if the ref is not set. */
const subjectOf = (record: NodeRecord, subjectField: string | undefined): NodeId | undefined => {
  if (subjectField === undefined) return record.id
  const id = record.fields[subjectField]
  return isNodeId(id) ? id : undefined
}

/** @throws TypeError for an empty string, or a value that is not a string. */
const assertNonEmptyText = (location: string, name: string, value: unknown): void => {
  if (typeof value === 'string' && value !== '') return
  throw usageError(location, name, 'a string that is not empty', describeValue(value))
}

/**
 * Creates a rule that allows if the viewer is the record. With `of`, it allows if the viewer is the node of
 * that ref. Otherwise, the rule skips, for example if the ref is not set or the token has no viewer.
 *
 * @throws TypeError for an unknown option.
 * @example
 * ```ts
 * import { field, isViewer, node } from 'kithgraph'
 *
 * const diary = node({ policy: [isViewer({ of: 'author' })], fields: { author: field.ref('user') } })
 * console.log(diary.policy?.map(rule => rule.name)) // [ 'isViewer(of author)' ]
 * ```
 */
export const isViewer = (options?: RuleOptions): Rule => {
  const subjectField = readOfOption('isViewer', options)
  const name = subjectField === undefined ? 'isViewer' : `isViewer(of ${subjectField})`
  return Object.freeze({
    name,
    decide: (record, { viewer }) =>
      viewer !== undefined && viewer === subjectOf(record, subjectField) ? 'allow' : 'skip',
    '~refers': Object.freeze([{ rule: name, kind: 'node', subjectField }]),
  } satisfies Rule)
}

/**
 * Creates a rule that allows if the token has the scope. Otherwise, the rule skips. Any text that is not
 * empty can be a scope.
 *
 * @throws TypeError if the scope is not a string or is empty.
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

const isComparable = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)

/**
 * Creates a rule that allows if the field of the record has the given value. Otherwise, the rule skips. The
 * rule compares stored values: a `datetime` is integer milliseconds, and a `ref` is the raw id. A policy
 * denies a record whose stored value is not valid for the field, even if the rule is inside `not`, `anyOf` or
 * `allOf`.
 *
 * @throws TypeError if the field is not a string or is empty, or if the value is not a string, a finite
 * number or a boolean.
 * @example
 * ```ts
 * import { field, fieldEquals, isViewer, node } from 'kithgraph'
 *
 * const album = node({
 *   policy: [fieldEquals('privacy', 'everyone'), isViewer({ of: 'owner' })],
 *   fields: { privacy: field.enum(['everyone', 'self']), owner: field.ref('user') },
 * })
 * console.log(album.policy?.[0]?.name) // fieldEquals(privacy, everyone)
 * ```
 */
export const fieldEquals = (field: string, value: string | number | boolean): Rule => {
  assertNonEmptyText('fieldEquals', 'field', field)
  if (!isComparable(value)) {
    throw usageError('fieldEquals', 'value', 'a string, a finite number or a boolean', describeValue(value))
  }
  const name = `fieldEquals(${field}, ${value})`
  return Object.freeze({
    name,
    decide: record => (record.fields[field] === value ? 'allow' : 'skip'),
    '~refers': Object.freeze([{ rule: name, kind: 'value', field, value }]),
  } satisfies Rule)
}

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
 * Creates a rule that allows if the viewer has an edge with the given name to the record. With `of`, the edge
 * must lead to the node of that ref. The rule skips if the edge does not exist, the ref is not set, or the
 * token has no viewer.
 *
 * @throws TypeError if the name is not a string or is empty, or if an option is unknown.
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
 * Creates a rule that allows if the record has an edge with the given name to the viewer. With `of`, the node
 * of that ref must have the edge. The rule skips if the edge does not exist, the ref is not set, or the token
 * has no viewer.
 *
 * @throws TypeError if the name is not a string or is empty, or if an option is unknown.
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
