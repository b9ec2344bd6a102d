import { type ExplorerState, useExplorer } from '../state/explorer-state.ts'
import { isTooExpensive, PlanFigures } from './plan-figures.tsx'

/** Explains why the request has no plan. Returns empty text while the plan is loading. */
const explainMissingPlan = ({ knownNodes, request, schema }: ExplorerState): string => {
  if (schema.schema.value === undefined) return ''
  const typeCount = knownNodes.requestedTypes.value.length
  if (typeCount > 1 && request.target.value.ids.length > 0)
    return 'The nodes have several types. Request nodes of one type to see the cost.'
  if (typeCount > 0) return ''
  return request.token.value === ''
    ? 'Enter a token to load the type of this node and its fields.'
    : 'The type of this node is unknown.'
}

/** The plan of the current request, or its error. */
export const PlanLine = () => {
  const state = useExplorer()
  const { expression, schema } = state
  if (schema.hasFailed.value)
    return <p class="plan">The schema could not be loaded. Reload the page to try again.</p>
  const error = expression.error.value
  if (error !== undefined) {
    return (
      <p class="plan bad" role="status">
        {error.message}
      </p>
    )
  }
  const plan = expression.plan.value
  if (plan === undefined) return <p class="plan">{explainMissingPlan(state)}</p>
  return isTooExpensive(plan) ? (
    <div class="plan bad" role="status">
      <PlanFigures plan={plan} scopes={plan.scopes} />
    </div>
  ) : (
    <div class="plan">
      <PlanFigures plan={plan} scopes={plan.scopes} />
    </div>
  )
}
