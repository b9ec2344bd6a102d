import { countByType } from '../answer/met.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { typeClass } from './type-class.ts'

/** The types that have been met, in their colours. */
export const Legend = () => {
  const { graph, schema } = useExplorer()
  return (
    <ul class="legend" aria-label="Types">
      {[...countByType(graph.met.value)].map(([type, count]) => (
        <li key={type ?? ''}>
          <svg class="dot" viewBox="0 0 10 10" aria-hidden="true">
            <circle class={typeClass(schema.schema.value, type)} cx="5" cy="5" r="5" />
          </svg>
          {type ?? 'not known yet'} <span class="detail">{count}</span>
        </li>
      ))}
    </ul>
  )
}
