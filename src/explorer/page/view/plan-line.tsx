import { useExplorer } from '../state/explorer-state.ts'
import type { ExplainSummary } from '../state/expression-state.ts'

const formatCount = (count: number, singular: string, plural: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? singular : plural}`

/** The figures of a plan. */
export const ExplainSummaryList = ({
  plan,
  class: name,
}: {
  readonly plan: ExplainSummary
  readonly class: string
}) => (
  <ul class={`figures ${name}`} aria-label="Plan">
    <li title="Reads of the store, without that of the token">{formatCount(plan.reads, 'read', 'reads')}</li>
    <li title="The cost of the call: its nodes, lists, values and policies">
      cost ≤ {plan.cost.toLocaleString('en')}
    </li>
    <li title="The maximum number of examined edges">scans ≤ {plan.edgesExamined.toLocaleString('en')}</li>
    {plan.scopes.map(scope => (
      <li key={scope} class="scope" title="A scope that the token needs for the whole request">
        {scope}
      </li>
    ))}
  </ul>
)

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
