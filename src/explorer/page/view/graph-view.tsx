import { useSignal, useSignalEffect } from '@preact/signals'
import { countByType, findIdsWithoutType, type SeenGraph } from '../response/seen-graph.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { typeClassName } from './class-names.ts'
import { GraphDrawing } from './graph-drawing.tsx'
import { GraphList } from './graph-list.tsx'
import { NodeCard } from './node-card.tsx'

/** The types of the nodes in the graph, with their colours. */
const Legend = () => {
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

/** The note about omitted nodes and edges. */
const OmittedNote = ({ seenGraph }: { readonly seenGraph: SeenGraph }) => {
  const { omittedNodes, hasOmittedEdges } = seenGraph
  return (
    <p class="note omitted" role="status">
      {omittedNodes.size > 0 && `${omittedNodes.size.toLocaleString('en')} more nodes are not shown. `}
      {hasOmittedEdges && 'More edges are not shown. '}
      {(omittedNodes.size > 0 || hasOmittedEdges) && 'Clear the graph to make room.'}
    </p>
  )
}

/** The graph of all responses, as a drawing or a list. */
export const GraphView = () => {
  const { graph, knownNodes } = useExplorer()
  const isList = useSignal(false)
  const seenGraph = graph.seenGraph.value
  useSignalEffect(() => {
    knownNodes.loadNodes(findIdsWithoutType(graph.seenGraph.value)).catch(reportError)
  })
  if (seenGraph.nodes.size === 0) {
    return <p class="empty">This view shows the nodes and edges of the responses. Run a request first.</p>
  }
  return (
    <>
      <div class="graph-bar">
        <Legend />
        <button
          type="button"
          aria-pressed={isList.value}
          onClick={() => {
            isList.value = !isList.value
          }}
        >
          As a list
        </button>
        <button type="button" onClick={graph.clear}>
          Clear
        </button>
      </div>
      {isList.value ? <GraphList /> : <GraphDrawing />}
      <NodeCard />
      <OmittedNote seenGraph={seenGraph} />
    </>
  )
}
