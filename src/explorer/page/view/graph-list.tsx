import type { SeenGraph, SeenNode } from '../response/seen-graph.ts'
import { useExplorer } from '../state/explorer-state.ts'

/** Groups the labels of a node's targets by edge. */
const groupLabelsByEdge = (
  { nodes, edges }: SeenGraph,
  id: string,
): ReadonlyMap<string, readonly string[]> => {
  const labelsByEdge = new Map<string, readonly string[]>()
  for (const { source, name, target } of edges.values()) {
    const label = nodes.get(target)?.label
    if (source === id && label !== undefined)
      labelsByEdge.set(name, [...(labelsByEdge.get(name) ?? []), label])
  }
  return labelsByEdge
}

const GraphListItem = ({ node }: { readonly node: SeenNode }) => {
  const { graph } = useExplorer()
  return (
    <li>
      <button
        type="button"
        data-id={node.id}
        aria-pressed={graph.selectedId.value === node.id}
        onClick={() => {
          graph.selectedId.value = node.id
        }}
      >
        {node.label}
      </button>{' '}
      <span class="detail">{node.type}</span>
      {[...groupLabelsByEdge(graph.seenGraph.value, node.id)].map(([name, labels]) => (
        <p key={name}>
          <span class="name">{name}</span> → {labels.join(', ')}
        </p>
      ))}
    </li>
  )
}

/** The content of the drawing as a list. */
export const GraphList = () => {
  const { nodes } = useExplorer().graph.seenGraph.value
  return (
    <ul class="graph-list" aria-label="Graph">
      {[...nodes.values()].map(node => (
        <GraphListItem key={node.id} node={node} />
      ))}
    </ul>
  )
}
