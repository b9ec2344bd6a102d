import type { Masking } from '../access/masking.ts'
import { isGraphError } from '../base/faults.ts'
import type { JsonObject } from '../base/json.ts'
import { assertKinds, assertObject } from '../base/options.ts'
import type { FieldExpression } from '../fields/expression.ts'
import type { Registry } from '../schema/registry.ts'
import { costOfRoots } from './cost.ts'
import { DEFAULT_PAGE, type Limits } from './limits.ts'
import type { Plan, Selection, Step, TypePlan } from './plan.ts'
import type { Planner } from './planner.ts'
import { unknownEdge } from './unknown-edge.ts'

/** What was described already: a selection that many ways lead to is one object in the data. */
type Described = Map<Selection, JsonObject>

const stepData = (step: Step, described: Described): JsonObject => {
  switch (step.kind) {
    case 'id':
      return { key: 'id', kind: 'id' }
    case 'edge': {
      const { name, order, limit, summary, selection } = step.edge
      return {
        key: step.key,
        kind: 'edge',
        name,
        order,
        limit,
        summary,
        of: selectionData(selection, described),
      }
    }
    case 'ref':
      return { key: step.key, kind: 'ref', name: step.name, of: selectionData(step.selection, described) }
    case 'test':
      return { key: step.key, kind: 'test', edge: step.edge }
    case 'time':
    case 'metadata':
      return { key: step.key, kind: step.kind }
    default:
      return { key: step.key, kind: step.kind, name: step.name, type: step.type.name }
  }
}

const selectionData = (selection: Selection, described: Described): JsonObject => {
  const plans = [...selection.types.values()]
  const data =
    described.get(selection) ??
    Object.fromEntries(plans.map(plan => [plan.type, plan.steps.map(step => stepData(step, described))]))
  described.set(selection, data)
  return data
}

/** What an expression comes to, before anything is read. */
export type Explanation = {
  readonly version: string
  /** For each type that may be answered, its members in the order of the answer. */
  readonly plan: JsonObject
  /** The reads of the store, the token's own apart. */
  readonly waves: number
  /**
   * The cost of the call at the most: 1 for each node, 1 for each opened list (10 under a policy, and 100 for its count), 5 or
   * the `weight` of its field for a list or a map, and more as `docs/calls.md` says.
   */
  readonly cost: number
  /** The edges that may be examined at the most, those included that the viewer may not see. */
  readonly scanned: number
  /** The words that a token must have been granted for all of it. */
  readonly scopes: readonly string[]
}

const scopesOf = (plans: Iterable<TypePlan>): readonly string[] => [
  ...new Set(
    [...plans].flatMap(({ refused, omitted }) => [...refused, ...omitted].map(({ scope }) => scope)),
  ),
]

/** What is to be explained: an expression for nodes of a type, or for the entries of one of its edges. */
export type ExplainCall = {
  readonly type: string
  readonly edge?: string | undefined
  readonly fields?: string | readonly string[] | undefined
  readonly version?: string | undefined
}

/** A call draws its limit, up to this many times `limits.scan`. */
const LARGEST_DRAW = 2

/** The entries of lists without a policy, and what a call may examine of the others. */
const examinedAtMost = (
  { policed, scanned, openings }: Selection,
  edgeLimit: number | undefined,
  { scan }: Limits,
): number => {
  const entries = edgeLimit === undefined ? scanned : edgeLimit * ((policed ? 0 : 1) + scanned)
  const isUnderPolicy = openings.size > 0 || (edgeLimit !== undefined && policed)
  return entries + (isUnderPolicy ? LARGEST_DRAW * scan : 0)
}

/** What explains: the parts of a graph that know no data. */
export type Explainer = {
  readonly registry: Registry
  readonly planner: Planner
  readonly limits: Limits
  readonly masking: Masking
}

/** The plan of what is to be explained. */
export type Planned = {
  readonly version: string
  readonly plan: Plan
  /** Of which the plan was made: what it finds at fault is an item of this. */
  readonly expression: FieldExpression
  /** Where it is for the entries of an edge. */
  readonly edge:
    | { readonly source: string; readonly limit: number; readonly scope: string | undefined }
    | undefined
}

/**
 * Plans what is to be explained.
 *
 * @throws GraphError for its text; `unknown_field` for an edge that the type does not have.
 * @throws TypeError for an unknown option or type.
 */
export const planOf = ({ registry, planner, limits }: Explainer, call: ExplainCall): Planned => {
  assertObject('explain', call)
  assertKinds('explain', call, { type: 'text', edge: 'text', fields: 'any', version: 'text' })
  const { type, edge, fields } = call
  registry.assertType('explain', type)
  const version = registry.version(call.version)
  const expression = planner.parse(fields)
  if (edge === undefined) {
    const plan = planner.compile(expression, { version, types: [type], edge: undefined })
    return { version, plan, expression, edge: undefined }
  }
  const declared = registry.edge(type, edge)
  if (declared === undefined) throw unknownEdge(registry, type, edge)
  const place = { version, types: declared.targets, edge: { source: type, name: edge, type: declared } }
  const limit = Math.min(DEFAULT_PAGE, limits.page)
  const plan = planner.compile(expression, place)
  return { version, plan, expression, edge: { source: type, limit, scope: declared.scope } }
}

/**
 * Explains a plan.
 *
 * @throws GraphError the first problem of the plan.
 */
export const explanationOf = (
  { limits, registry }: Pick<Explainer, 'limits' | 'registry'>,
  planned: Planned,
): Explanation => {
  const { version, plan, edge } = planned
  const { selection, problems } = plan
  const [problem] = problems
  if (problem !== undefined) throw problem.fault()
  const plans = [...selection.types.values()]
  const sourceRules = edge === undefined ? 0 : registry.rulesWithChecks(edge.source)
  const roots = { count: 1, edgeLimit: edge?.limit, summary: false, sourceRules, plans }
  const scopes = scopesOf(plans)
  return {
    version,
    plan: selectionData(selection, new Map()),
    waves: 1 + selection.waves,
    cost: costOfRoots(roots),
    scanned: examinedAtMost(selection, edge?.limit, limits),
    scopes: edge?.scope === undefined ? scopes : [...new Set([edge.scope, ...scopes])],
  }
}

/**
 * Explains an expression without reading anything.
 *
 * @throws GraphError for what the expression is at fault for; `unknown_field` for an edge that the type does not have.
 * @throws TypeError for an unknown option or type.
 */
export const explain = (explainer: Explainer, call: ExplainCall): Explanation => {
  try {
    return explanationOf(explainer, planOf(explainer, call))
  } catch (error) {
    throw isGraphError(error) ? explainer.masking.fault(error) : error
  }
}
