import { describeValue } from '../base/describe.ts'
import { type ErrorEnvelope, type GraphError, invalidParameterError, isGraphError } from '../base/errors.ts'
import { isNonArrayObject } from '../base/json.ts'
import { formatChoices } from '../base/usage-error.ts'
import { parseFields } from '../fields/parse.ts'
import { parseJson, readLimit, readSummary } from '../plan/arguments.ts'
import { computeRootsCost } from '../plan/cost.ts'
import { assertParameterNames, leavesOutEntries } from '../plan/edge-parameters.ts'
import {
  type ExplainCall,
  type ExplainContext,
  type Explanation,
  type ExplanationPlan,
  explainPlan,
  planExplanation,
} from '../plan/explain.ts'
import { flattenItems } from '../plan/expression-items.ts'
import { type GivenValue, parseParameters } from '../plan/parameter-values.ts'
import type { EdgeType } from '../schema/edge.ts'
import { findItemRange, rangeAt, rangeBefore, type TextRange } from './text-range.ts'

/** The plan of a request: the result of `explain`, with the cost of all requested nodes. */
export type PlanView = Explanation & {
  /** The maximum `cost` that the graph accepts. */
  readonly costLimit: number
}

/** An error in the format of the graph's responses, with its position in the expression if known. */
export type PlanErrorView = ErrorEnvelope & { readonly range?: TextRange }

/** The parameters of `plan.json`. */
export type PlanCall = ExplainCall & {
  readonly fields: string
  /** The number of requested nodes. Default 1. */
  readonly count?: string | undefined
  /** The size of the page, if the request is for an edge. */
  readonly limit?: string | undefined
  /** Whether the page has a summary. */
  readonly summary?: string | undefined
  /** The parameters of the edge, as a JSON object of texts. */
  readonly parameters?: string | undefined
}

const toErrorView = (error: GraphError, range: TextRange | undefined): PlanErrorView => ({
  ...error.toJSON(),
  ...(range && { range }),
})

/** Returns the position of a syntax error. */
const findErrorRange = (text: string, { data, reason }: GraphError): TextRange | undefined => {
  if (typeof data.position !== 'number') return undefined
  return reason === 'duplicate_name' ? rangeBefore(text, data.position) : rangeAt(text, data.position)
}

/** Returns the first invalid name or parameter of an expression with valid syntax. */
const findFirstError = (
  { limits, masking }: ExplainContext,
  { plan, expression }: ExplanationPlan,
  call: PlanCall,
): PlanErrorView | undefined => {
  const [planError] = plan.errors
  if (planError === undefined) return undefined
  const error = planError.createError()
  const part = error.reason === 'invalid_parameter' ? 'call' : 'name'
  const parsed = parseFields(call.fields, limits)
  return toErrorView(
    masking.maskError(error),
    findItemRange(call.fields, parsed, flattenItems(expression).indexOf(planError.item), part),
  )
}

/** @throws GraphError `invalid_parameter`. */
const readCount = (text: string | undefined, maxCount: number): number => {
  if (text === undefined) return 1
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (count >= 1 && count <= maxCount) return count
  throw invalidParameterError('count', `an integer from 1 to ${maxCount}`, describeValue(text))
}

/** @throws GraphError `invalid_parameter`. */
const readEdgeParameters = (text: string | undefined): ReadonlyMap<string, GivenValue> => {
  const value = text === undefined ? {} : parseJson(text)
  if (!isNonArrayObject(value))
    throw invalidParameterError('parameters', 'a JSON object', describeValue(text))
  return new Map(Object.entries(value).map(([name, text]) => [name, { kind: 'text', text: `${text}` }]))
}

/**
 * Returns whether a request may leave out entries of an edge: by its filter, or because it is computed.
 *
 * @throws GraphError `invalid_parameter` for a parameter that the edge does not have, or an invalid value.
 */
const mayLeaveOutEntries = (name: string, edge: EdgeType, text: string | undefined): boolean => {
  const given = readEdgeParameters(text)
  assertParameterNames(name, edge, given)
  parseParameters(edge.parameters, given)
  return leavesOutEntries(edge, given)
}

/** Explains a plan, with the cost for the requested number of nodes and page size. */
const explainRequest = (
  context: ExplainContext,
  explanationPlan: ExplanationPlan,
  { count, limit, summary, edge: edgeName = '', parameters }: PlanCall,
): PlanView => {
  const { registry, limits } = context
  const { plan, edge } = explanationPlan
  const hasSummary = summary !== undefined && readSummary(summary)
  const pageSize = limit === undefined ? edge?.limit : readLimit(limit, limits.page, hasSummary)
  const edgeType = edge && registry.getEdge(edge.source, edgeName)
  const isFiltered = edgeType !== undefined && mayLeaveOutEntries(edgeName, edgeType, parameters)
  const requestedEdge = edge && { ...edge, limit: pageSize ?? edge.limit, isFiltered }
  return {
    ...explainPlan(context, { ...explanationPlan, edge: requestedEdge }),
    cost: computeRootsCost({
      count: readCount(count, limits.ids),
      edgeLimit: requestedEdge?.limit,
      summary: hasSummary,
      countKind: edge?.countKind ?? 'stored',
      isFiltered: edge !== undefined && (plan.selection.hasPolicy || isFiltered),
      sourcePolicyCost: edge?.sourcePolicyCost ?? 0,
      plans: [...plan.selection.types.values()],
    }),
    costLimit: limits.cost,
  }
}

/** Explains a request, or describes its error. Never throws for invalid input. */
export const createPlanView = (context: ExplainContext, call: PlanCall): PlanView | PlanErrorView => {
  const { type, edge, fields, version } = call
  try {
    if (context.registry.getType(type) === undefined) {
      const expected = formatChoices(Object.keys(context.registry.schema.types))
      throw invalidParameterError('type', expected, describeValue(type))
    }
    const explanationPlan = planExplanation(context, { type, edge, fields, version })
    return findFirstError(context, explanationPlan, call) ?? explainRequest(context, explanationPlan, call)
  } catch (error) {
    if (!isGraphError(error)) throw error
    return toErrorView(context.masking.maskError(error), findErrorRange(fields, error))
  }
}
