import { useExplorer } from '../state/explorer-state.ts'
import { Figures } from './figures.tsx'

/** What the request would take, before it is sent. */
export const PlanLine = () => {
  const { expression, nodes, request, schema } = useExplorer()
  const plan = expression.plan.value
  if (schema.failed.value)
    return <p class="plan">The schema could not be loaded. Reload the page to try again.</p>
  const fault = expression.fault.value
  if (fault !== undefined) {
    return (
      <p class="plan bad" role="status">
        {fault.message}
      </p>
    )
  }
  if (plan !== undefined) return <Figures class="plan" plan={plan} />
  if (request.target.value.ids.length > 0 && nodes.types.value.length > 0)
    return <p class="plan">Each of the nodes costs what it would cost alone.</p>
  if (nodes.types.value.length > 0 || schema.schema.value === undefined) return <p class="plan" />
  return (
    <p class="plan">
      {request.token.value === ''
        ? 'With a token, the type of this node can be learnt: then there is help with its fields.'
        : 'Nothing is known of this node’s type.'}
    </p>
  )
}
