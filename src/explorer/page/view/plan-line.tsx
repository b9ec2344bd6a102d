import { useExplorer } from '../state/explorer-state.ts'
import { ExplainSummaryList } from './explain-summary-list.tsx'

/** The plan of the request, before it is sent. */
export const PlanLine = () => {
  const { expression, knownNodes, request, schema } = useExplorer()
  const plan = expression.plan.value
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
  if (plan !== undefined) return <ExplainSummaryList class="plan" plan={plan} />
  if (request.target.value.ids.length > 0 && knownNodes.requestedTypes.value.length > 0)
    return <p class="plan">Each node costs as much as in a separate request.</p>
  if (knownNodes.requestedTypes.value.length > 0 || schema.schema.value === undefined)
    return <p class="plan" />
  return (
    <p class="plan">
      {request.token.value === ''
        ? 'With a token, the type of this node can be loaded, and its fields are suggested.'
        : 'The type of this node is unknown.'}
    </p>
  )
}
