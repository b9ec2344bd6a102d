import type { Masking } from '../access/masking.ts'
import { isGraphError } from '../base/errors.ts'
import type { JsonObject } from '../base/json.ts'
import { assertObject, assertOptionKinds } from '../base/options.ts'
import type { FieldExpression } from '../fields/expression.ts'
import { ROOT_TYPE } from '../schema/collection.ts'
import type { CountKind } from '../schema/edge.ts'
import type { Registry } from '../schema/registry.ts'
import { computeRootsCost } from './cost.ts'
import { leavesOutEntries, NO_GIVEN_VALUES } from './edge-parameters.ts'
import { DEFAULT_PAGE_SIZE, type Limits } from './limits.ts'
import { computeMaxExamined } from './max-examined.ts'
import { edgeNotFoundError } from './not-found-errors.ts'
import type { Plan, PlanStep, Selection, TypePlan } from './plan.ts'
import type { Planner } from './planner.ts'

/**
 * The descriptions of the selections so far. A selection that occurs several times is described by one
 * object.
 */
type SelectionDescriptions = Map<Selection, JsonObject>

const describeStep = (step: PlanStep, descriptionBySelection: SelectionDescriptions): JsonObject => {
  switch (step.kind) {
    case 'id':
      return { key: 'id', kind: 'id' }
    case 'edge': {
      const { name, order, limit, summary, selection } = step.edge
      return {
        key: step.key,
        kind: 'edge',
        name,
        order: order.name,
        limit,
        summary,
        of: describeSelection(selection, descriptionBySelection),
      }
    }
    case 'ref':
      return {
        key: step.key,
        kind: 'ref',
        name: step.name,
        of: describeSelection(step.selection, descriptionBySelection),
      }
    case 'viewerEdge':
      return {
        key: step.key,
        kind: 'viewerEdge',
        edge: step.edge,
        ...(step.value !== undefined && { name: step.name, type: step.value.type.name }),
      }
    case 'time':
    case 'metadata':
      return { key: step.key, kind: step.kind }
    default:
      return { key: step.key, kind: step.kind, name: step.name, type: step.type.name }
  }
}

const describeSelection = (
  selection: Selection,
  descriptionBySelection: SelectionDescriptions,
): JsonObject => {
  const plans = [...selection.types.values()]
  const description =
    descriptionBySelection.get(selection) ??
    Object.fromEntries(
      plans.map(plan => [plan.type, plan.steps.map(step => describeStep(step, descriptionBySelection))]),
    )
  descriptionBySelection.set(selection, description)
  return description
}

/** The plan of an expression, with its cost. */
export type Explanation = {
  readonly version: string
  /** The members of each type that the result may contain, in the order of the result. */
  readonly plan: JsonObject
  /**
   * The number of store reads: one for each level, and the maximum number of reads for the `canSee` rules of
   * each level. Other reads for policies and a separate read of the token are not included.
   */
  readonly reads: number
  /**
   * The maximum cost of the call for one node, or for one page of 25 entries. `docs/calls.md` describes the
   * cost of each part of a call.
   */
  readonly cost: number
  /** The maximum number of edges that the call may examine, including edges that the viewer may not see. */
  readonly edgesExamined: number
  /** The scopes that a token needs for all fields and edges. */
  readonly scopes: readonly string[]
}

const collectScopes = (plans: Iterable<TypePlan>): readonly string[] => [
  ...new Set(
    [...plans].flatMap(({ requiredScopes, omittedFields }) =>
      [...requiredScopes, ...omittedFields].map(({ scope }) => scope),
    ),
  ),
]

/** The options of `explain`: an expression for nodes of a type, or for the entries of one of its edges. */
export type ExplainCall = {
  readonly type: string
  readonly edge?: string | undefined
  readonly fields?: string | readonly string[] | undefined
  readonly version?: string | undefined
}

/** The parts of a graph that `explain` uses. They do not include the store. */
export type ExplainContext = {
  readonly registry: Registry
  readonly planner: Planner
  readonly limits: Limits
  readonly masking: Masking
}

/** The plan of an explanation. */
export type ExplanationPlan = {
  readonly version: string
  readonly plan: Plan
  /** The expression that was compiled. The errors of the plan refer to its items. */
  readonly expression: FieldExpression
  /** The edge whose entries the expression applies to, or `undefined` for nodes. */
  readonly edge:
    | {
        readonly source: string
        readonly limit: number
        /** How the lists of the edge are counted. */
        readonly countKind: CountKind
        readonly scope: string | undefined
        /** Whether entries may be left out even if no target type has a policy. */
        readonly isFiltered: boolean
        /** The cost of the policies of the source and the edge. */
        readonly sourcePolicyCost: number
        /** The maximum number of store reads for the `canSee` rules in these policies. */
        readonly sourceReadCount: number
      }
    | undefined
}

/**
 * Validates the options of `explain` and compiles the expression.
 *
 * @throws GraphError for invalid syntax of the expression; `field_not_found` for an edge that the type does
 * not have.
 * @throws TypeError for an unknown option or type.
 */
export const planExplanation = (
  { registry, planner, limits }: ExplainContext,
  options: ExplainCall,
): ExplanationPlan => {
  assertObject('explain', options)
  assertOptionKinds('explain', options, { type: 'text', edge: 'text', fields: 'any', version: 'text' })
  const { type, edge, fields } = options
  registry.assertType('explain', type)
  const version = registry.resolveVersion(options.version)
  const expression = planner.parseUncached(fields)
  if (edge === undefined) {
    const plan = planner.compileUncached(expression, { version, types: [type], edge: undefined })
    return { version, plan, expression, edge: undefined }
  }
  const edgeType = registry.getEdge(type, edge)
  if (edgeType === undefined) throw edgeNotFoundError(registry, type, edge)
  const target = { version, types: edgeType.targets, edge: { source: type, name: edge, type: edgeType } }
  const limit = Math.min(DEFAULT_PAGE_SIZE, limits.page)
  const plan = planner.compileUncached(expression, target)
  return {
    version,
    plan,
    expression,
    edge: {
      source: type,
      limit,
      countKind: edgeType.count.kind,
      scope: edgeType.scope,
      isFiltered: leavesOutEntries(edgeType, NO_GIVEN_VALUES),
      sourcePolicyCost: registry.sourcePolicyCostOf(type, edgeType),
      sourceReadCount: Math.max(
        registry.inheritanceOf(type).readCount,
        registry.inheritanceOfPolicy(type, edgeType.policy).readCount,
      ),
    },
  }
}

/**
 * Returns the explanation of a plan.
 *
 * @throws GraphError the first error of the plan.
 */
export const explainPlan = (
  { limits }: Pick<ExplainContext, 'limits'>,
  explanationPlan: ExplanationPlan,
): Explanation => {
  const { version, plan, edge } = explanationPlan
  const { selection, errors } = plan
  const [error] = errors
  if (error !== undefined) throw error.createError()
  const plans = [...selection.types.values()]
  const isFiltered = edge !== undefined && (selection.hasPolicy || edge.isFiltered)
  const sourcePolicyCost = edge?.sourcePolicyCost ?? 0
  const countKind = edge?.countKind ?? 'stored'
  const list = { edgeLimit: edge?.limit, summary: false, countKind, isFiltered, sourcePolicyCost }
  const roots = { count: 1, ...list, plans }
  const inheritedReadCount = (edge?.sourceReadCount ?? 0) + selection.inheritedReadCount
  const scopes = collectScopes(plans)
  return {
    version,
    plan: describeSelection(selection, new Map()),
    // The node of collections is not stored.
    reads: selection.readCount + inheritedReadCount + (selection.types.has(ROOT_TYPE) ? 0 : 1),
    cost: computeRootsCost(roots),
    edgesExamined: computeMaxExamined(selection, edge?.limit, isFiltered, limits),
    scopes: edge?.scope === undefined ? scopes : [...new Set([edge.scope, ...scopes])],
  }
}

/**
 * Explains an expression without reading data.
 *
 * @throws GraphError for an invalid expression; `field_not_found` for an edge that the type does not have.
 * @throws TypeError for an unknown option or type.
 */
export const explain = (context: ExplainContext, options: ExplainCall): Explanation => {
  try {
    return explainPlan(context, planExplanation(context, options))
  } catch (error) {
    throw isGraphError(error) ? context.masking.maskError(error) : error
  }
}
