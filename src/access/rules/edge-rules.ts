import { describeValue } from '../../base/describe.ts'
import type { NodeId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import { assertOptionKinds, type OptionKinds } from '../../base/options.ts'
import type { Session } from '../../base/session.ts'
import { usageError } from '../../base/usage-error.ts'
import type { ConstantParameters } from '../../schema/parameter.ts'
import {
  type EdgeDataTest,
  type EdgeReference,
  type Rule,
  readsOfSubject,
  subjectOf,
} from '../../schema/policy.ts'
import { type RuleCondition, withCondition } from '../../schema/rule-conditions.ts'
import type { EdgeCheck, EdgeKey, NodeRecord } from '../../store/contract.ts'
import { assertNonEmptyText, isComparable } from './rule-values.ts'
import type { RuleOptions } from './rules.ts'

/** The options of `viewerHasEdge` and `hasEdgeToViewer`. */
export type EdgeRuleOptions = RuleOptions & {
  /**
   * A test of the edge's own fields: `{ role: 'admin' }` or `{ role: ['admin', 'owner'] }`. Every field must have the
   * value, or one of the values. Stored values are compared: a `datetime` is integer milliseconds. A field without a
   * value never matches. If the stored value is not valid for the field, the policy denies.
   */
  readonly where?: EdgeDataTest | undefined
  /**
   * The values of the parameters that choose the stored list of the edge. Default: the defaults of the parameters.
   * The edge's own `where` does not apply.
   */
  readonly parameters?: ConstantParameters | undefined
}

const OPTION_KINDS = { of: 'text', where: 'object', parameters: 'object' } as const satisfies OptionKinds

/** A frozen copy of a test of data, with a list of values for each field. */
type ValuesByField = readonly (readonly [field: string, values: readonly (string | number | boolean)[]])[]

const toValuesByField = (location: string, where: EdgeDataTest): ValuesByField =>
  Object.entries(where).map(([field, expected]) => {
    const values: readonly unknown[] = Array.isArray(expected) ? expected : [expected]
    if (values.length > 0 && values.every(isComparable)) return [field, Object.freeze([...values])] as const
    const expectedValue = 'a string, a finite number, a boolean or an array of at least one of them'
    throw usageError(location, `where.${field}`, expectedValue, describeValue(expected))
  })

const toParameters = (location: string, parameters: ConstantParameters): ConstantParameters => {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined)
  for (const [name, value] of given)
    if (!isComparable(value))
      throw usageError(
        location,
        `parameters.${name}`,
        'a string, a finite number or a boolean',
        describeValue(value),
      )
  return Object.freeze(Object.fromEntries(given))
}

const NO_DATA: JsonObject = Object.freeze({})

const matches = (data: JsonObject, valuesByField: ValuesByField): boolean => {
  for (const [field, values] of valuesByField) {
    const stored = Object.hasOwn(data, field) ? data[field] : undefined
    if (!values.some(value => value === stored)) return false
  }
  return true
}

/** Formats the options in the name of a rule: `of group, where role is member or admin, kind near`. */
const formatName = (
  functionName: string,
  { edge, subjectField, parameters }: EdgeReferenceParts,
  valuesByField: ValuesByField | undefined,
): string => {
  const parts = [edge]
  if (subjectField !== undefined) parts.push(`of ${subjectField}`)
  for (const [field, values] of valuesByField ?? []) parts.push(`where ${field} is ${values.join(' or ')}`)
  for (const [name, value] of Object.entries(parameters ?? {})) parts.push(`${name} ${value}`)
  return `${functionName}(${parts.join(', ')})`
}

type EdgeReferenceParts = Pick<EdgeReference, 'edge' | 'subjectField' | 'parameters'>

type EdgeRuleDefinition = {
  readonly functionName: string
  readonly kind: EdgeReference['kind']
  readonly edge: string
  readonly options: EdgeRuleOptions | undefined
  readonly createCheck: (list: string, subject: NodeId, viewer: NodeId) => EdgeKey
}

const createReference = (
  { functionName, kind, edge, options }: EdgeRuleDefinition,
  valuesByField: ValuesByField | undefined,
): EdgeReference => {
  const parameters = options?.parameters && toParameters(functionName, options.parameters)
  const parts = { edge, subjectField: options?.of, parameters }
  const where = valuesByField && Object.freeze(Object.fromEntries(valuesByField))
  return Object.freeze({ rule: formatName(functionName, parts, valuesByField), kind, ...parts, where })
}

const createCondition =
  (reference: EdgeReference): RuleCondition =>
  ({ viewer }, recordType, lists) => {
    if (viewer === undefined) return false
    const name = lists.listOf(reference, recordType)
    const { kind, subjectField: of, where } = reference
    return kind === 'edgeOfViewer'
      ? { kind: 'edge', name, of, from: viewer, where }
      : { kind: 'edge', name, of, to: viewer, where }
  }

/** Creates a rule that allows if an edge between a node and the viewer exists, and passes the test of its data. */
const createEdgeRule = (definition: EdgeRuleDefinition): Rule => {
  const { functionName, edge, options, createCheck } = definition
  assertNonEmptyText(functionName, 'edge', edge)
  assertOptionKinds(functionName, options, OPTION_KINDS)
  const valuesByField = options?.where && toValuesByField(functionName, options.where)
  const reference = createReference(definition, valuesByField)
  const createChecks = (record: NodeRecord, { viewer }: Session, list: string): readonly EdgeCheck[] => {
    const subject = subjectOf(record, reference.subjectField)
    if (subject === undefined || viewer === undefined) return []
    const key = createCheck(list, subject, viewer)
    return [valuesByField === undefined ? key : { ...key, data: true }]
  }
  const rule = Object.freeze({
    name: reference.rule,
    reads: readsOfSubject(reference.subjectField),
    checks: (record, session) => createChecks(record, session, edge),
    '~checks': (record, session, lists) =>
      createChecks(record, session, lists.listOf(reference, record.type)),
    decide: (_record, _session, [found]) => {
      if (valuesByField === undefined) return found === true ? 'allow' : 'skip'
      return typeof found === 'object' && matches(found.data ?? NO_DATA, valuesByField) ? 'allow' : 'skip'
    },
    '~refers': Object.freeze([reference]),
  } satisfies Rule)
  return withCondition(rule, createCondition(reference))
}

/**
 * Creates a rule that allows if the viewer has an edge with the given name to the record. With `of`, the edge
 * must lead to the node of that ref. With `where`, the edge must also pass the test of its data. The rule skips if
 * the edge does not exist or does not pass, the ref is not set, or the token has no viewer.
 *
 * @throws TypeError if the name is not a string or is empty, or if an option is unknown or not valid.
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
export const viewerHasEdge = (edge: string, options?: EdgeRuleOptions): Rule =>
  createEdgeRule({
    functionName: 'viewerHasEdge',
    kind: 'edgeOfViewer',
    edge,
    options,
    createCheck: (list, subject, viewer) => ({ source: viewer, name: list, target: subject }),
  })

/**
 * Creates a rule that allows if the record has an edge with the given name to the viewer. With `of`, the node
 * of that ref must have the edge. With `where`, the edge must also pass the test of its data. The rule skips if the
 * edge does not exist or does not pass, the ref is not set, or the token has no viewer.
 *
 * @throws TypeError if the name is not a string or is empty, or if an option is unknown or not valid.
 * @example
 * ```ts
 * import { edge, field, hasEdgeToViewer, node } from 'kithgraph'
 *
 * const members = edge('user', { fields: { role: field.enum(['guest', 'member', 'admin']) } })
 * const group = node({
 *   policy: [hasEdgeToViewer('members', { where: { role: ['member', 'admin'] } })],
 *   edges: { members },
 * })
 * console.log(group.policy?.[0]?.name) // hasEdgeToViewer(members, where role is member or admin)
 * ```
 */
export const hasEdgeToViewer = (edge: string, options?: EdgeRuleOptions): Rule =>
  createEdgeRule({
    functionName: 'hasEdgeToViewer',
    kind: 'edgeToViewer',
    edge,
    options,
    createCheck: (list, subject, viewer) => ({ source: subject, name: list, target: viewer }),
  })
