import { describe } from '../base/describe.ts'
import { badParameter, type FaultEnvelope, type GraphError, isGraphError } from '../base/faults.ts'
import { parseFields } from '../fields/parse.ts'
import {
  type ExplainCall,
  type Explainer,
  type Explanation,
  explanationOf,
  type Planned,
  planOf,
} from '../plan/explain.ts'
import { itemsOf } from '../plan/text-order.ts'
import { rangeAt, rangeBefore, rangeOfItem, type TextRange } from './text-range.ts'

/** What an expression comes to, as `explain` tells it. */
export type PlanView = Explanation

/** What is wrong with it, as the graph's own answers tell it, and where in the text, as far as it is at a place. */
export type PlanFault = FaultEnvelope & { readonly range?: TextRange }

/** What `plan.json` is asked. */
export type PlanCall = ExplainCall & { readonly fields: string }

const faultAt = (fault: GraphError, range: TextRange | undefined): PlanFault => ({
  ...fault.toJSON(),
  ...(range && { range }),
})

/** Where reading the text stopped. */
const stoppedAt = (text: string, { data }: GraphError): TextRange | undefined => {
  if (typeof data.position !== 'number') return undefined
  return data.reason === 'duplicate' ? rangeBefore(text, data.position) : rangeAt(text, data.position)
}

/** What is wrong with the names and parameters of an expression that could be read. */
const firstProblem = (
  { limits, masking }: Explainer,
  { plan, expression }: Planned,
  call: PlanCall,
): PlanFault | undefined => {
  const [problem] = plan.problems
  if (problem === undefined) return undefined
  const fault = problem.fault()
  const part = fault.data.reason === 'bad_parameter' ? 'call' : 'name'
  const read = parseFields(call.fields, limits)
  return faultAt(
    masking.fault(fault),
    rangeOfItem(call.fields, read, itemsOf(expression).indexOf(problem.item), part),
  )
}

/** Explains an expression, or says what is wrong with it. It never throws for what was asked. */
export const planViewOf = (explainer: Explainer, call: PlanCall): PlanView | PlanFault => {
  try {
    if (explainer.registry.type(call.type) === undefined) {
      const known = Object.keys(explainer.registry.schema.types).join(', ')
      throw badParameter('type', `one of ${known}`, describe(call.type))
    }
    const planned = planOf(explainer, call)
    return firstProblem(explainer, planned, call) ?? explanationOf(explainer, planned)
  } catch (error) {
    if (!isGraphError(error)) throw error
    return faultAt(explainer.masking.fault(error), stoppedAt(call.fields, error))
  }
}
