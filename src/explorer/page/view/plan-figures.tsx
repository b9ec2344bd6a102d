import type { ExplainSummary } from '../state/expression-state.ts'

type PlanProps = { readonly plan: ExplainSummary }

const formatNumber = (value: number): string => value.toLocaleString('en')

/** Whether the graph rejects the request because of its cost. */
export const isTooExpensive = ({ cost, costLimit }: ExplainSummary): boolean => cost > costLimit

const ReadCount = ({ plan: { reads } }: PlanProps) => (
  <li title="The number of store reads, without the read of the token">
    {formatNumber(reads)} {reads === 1 ? 'read' : 'reads'}
  </li>
)

const Cost = ({ plan }: PlanProps) => {
  const [cost, costLimit] = [formatNumber(plan.cost), formatNumber(plan.costLimit)]
  return isTooExpensive(plan) ? (
    <li class="bad" title="The graph rejects this request">
      cost {cost}, over the limit of {costLimit}
    </li>
  ) : (
    <li title="The maximum cost of the request, and the limit of the graph">
      cost {cost} of {costLimit}
    </li>
  )
}

/** The number of reads and the cost of a request, and the scopes that it needs. */
export const PlanFigures = ({ plan, scopes }: PlanProps & { readonly scopes: readonly string[] }) => (
  <ul class="figures plan-figures" aria-label="Plan">
    <ReadCount plan={plan} />
    <Cost plan={plan} />
    {scopes.map(scope => (
      <li key={scope} class="scope" title="The token needs this scope">
        {scope}
      </li>
    ))}
  </ul>
)
