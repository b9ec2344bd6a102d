import { useSignal, useSignalEffect } from '@preact/signals'
import { type Met, nodesWithoutType } from '../answer/met.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { GraphDrawing } from './graph-drawing.tsx'
import { GraphList } from './graph-list.tsx'
import { Legend } from './legend.tsx'
import { NodeCard } from './node-card.tsx'

/** What found no room. */
const LeftOut = ({ met }: { readonly met: Met }) => {
  const { leftOut, lacksEdges } = met
  return (
    <p class="note left-out" role="status">
      {leftOut.size > 0 &&
        `${leftOut.size.toLocaleString('en')} more nodes were met than can be told apart here. `}
      {lacksEdges && 'More edges were met than can be told apart here. '}
      {(leftOut.size > 0 || lacksEdges) && 'Clear makes room.'}
    </p>
  )
}

/** What has been met of the graph: drawn, or as a list. */
export const GraphView = () => {
  const { graph, nodes } = useExplorer()
  const isList = useSignal(false)
  const met = graph.met.value
  useSignalEffect(() => {
    nodes.learnAll(nodesWithoutType(graph.met.value)).catch(reportError)
  })
  if (met.nodes.size === 0) {
    return <p class="empty">The nodes and edges of answers are drawn here. Run something first.</p>
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
      <LeftOut met={met} />
    </>
  )
}
