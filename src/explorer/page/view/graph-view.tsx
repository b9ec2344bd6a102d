import { useSignal, useSignalEffect } from '@preact/signals'
import { findIdsWithoutType, type SeenGraph } from '../response/seen-graph.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { GraphDrawing } from './graph-drawing.tsx'
import { GraphList } from './graph-list.tsx'
import { Legend } from './legend.tsx'
import { NodeCard } from './node-card.tsx'

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

/** The graph seen so far: drawn, or as a list. */
export const GraphView = () => {
  const { graph, knownNodes } = useExplorer()
  const isList = useSignal(false)
  const seenGraph = graph.seenGraph.value
  useSignalEffect(() => {
    knownNodes.loadNodes(findIdsWithoutType(graph.seenGraph.value)).catch(reportError)
  })
  if (seenGraph.nodes.size === 0) {
    return <p class="empty">The nodes and edges of responses are drawn here. Run a request first.</p>
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
