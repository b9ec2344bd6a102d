import type { PlanFigures } from '../state/expression-state.ts'

const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** The figures of a plan. */
export const Figures = ({ plan, class: name }: { readonly plan: PlanFigures; readonly class: string }) => (
  <ul class={`figures ${name}`} aria-label="Plan">
    <li title="Reads of the store, the token’s own apart">{counted(plan.waves, 'wave', 'waves')}</li>
    <li title="The cost of the call: its nodes, lists, values and policies">
      cost ≤ {plan.cost.toLocaleString('en')}
    </li>
    <li title="Edges that may be examined at the most">scans ≤ {plan.scanned.toLocaleString('en')}</li>
    {plan.scopes.map(scope => (
      <li key={scope} class="scope" title="A scope that the token needs for all of it">
        {scope}
      </li>
    ))}
  </ul>
)
