import { countByType } from '../response/seen-graph.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { typeClassName } from './type-class.ts'

/** The types of the nodes so far, with their colours. */
export const Legend = () => {
  const { graph, schema } = useExplorer()
  return (
    <ul class="legend" aria-label="Types">
      {[...countByType(graph.seenGraph.value)].map(([type, count]) => (
        <li key={type ?? ''}>
          <svg class="dot" viewBox="0 0 10 10" aria-hidden="true">
            <circle class={typeClassName(schema.schema.value, type)} cx="5" cy="5" r="5" />
          </svg>
          {type ?? 'not known yet'} <span class="detail">{count}</span>
        </li>
      ))}
    </ul>
  )
}
