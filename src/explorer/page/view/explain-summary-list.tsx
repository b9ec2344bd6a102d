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
