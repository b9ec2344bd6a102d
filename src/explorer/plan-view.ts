import { describeValue } from '../base/describe.ts'
import { type ErrorEnvelope, type GraphError, invalidParameterError, isGraphError } from '../base/errors.ts'
import { formatChoices } from '../base/usage-error.ts'
import { parseFields } from '../fields/parse.ts'
import {
  type ExplainCall,
  type ExplainContext,
  type Explanation,
  type ExplanationPlan,
  explainPlan,
  planExplanation,
} from '../plan/explain.ts'
import { flattenItems } from '../plan/expression-items.ts'
import { findItemRange, rangeAt, rangeBefore, type TextRange } from './text-range.ts'

/** The plan of an expression, as `explain` returns it. */
export type PlanView = Explanation

/** An error in the form of the graph's responses, with its position in the text, if it has one. */
export type PlanErrorView = ErrorEnvelope & { readonly range?: TextRange }

/** The parameters of `plan.json`. */
export type PlanCall = ExplainCall & { readonly fields: string }

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

/** Explains an expression, or describes its error. Never throws for invalid input. */
export const createPlanView = (context: ExplainContext, call: PlanCall): PlanView | PlanErrorView => {
  try {
    if (context.registry.getType(call.type) === undefined) {
      const expected = formatChoices(Object.keys(context.registry.schema.types))
      throw invalidParameterError('type', expected, describeValue(call.type))
    }
    const explanationPlan = planExplanation(context, call)
    return findFirstError(context, explanationPlan, call) ?? explainPlan(context, explanationPlan)
  } catch (error) {
    if (!isGraphError(error)) throw error
    return toErrorView(context.masking.maskError(error), findErrorRange(call.fields, error))
  }
}
