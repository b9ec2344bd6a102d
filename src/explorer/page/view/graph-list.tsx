import type { Met, MetNode } from '../answer/met.ts'
import { useExplorer } from '../state/explorer-state.ts'

/** The edges of a node by their names, with the labels of what they lead to. */
const edgesOf = ({ nodes, edges }: Met, id: string): ReadonlyMap<string, readonly string[]> => {
  const names = new Map<string, readonly string[]>()
  for (const { source, name, target } of edges.values()) {
    const label = nodes.get(target)?.label
    if (source === id && label !== undefined) names.set(name, [...(names.get(name) ?? []), label])
  }
  return names
}

const Item = ({ node }: { readonly node: MetNode }) => {
  const { graph } = useExplorer()
  return (
    <li>
      <button
        type="button"
        data-id={node.id}
        aria-pressed={graph.selected.value === node.id}
        onClick={() => {
          graph.selected.value = node.id
        }}
      >
        {node.label}
      </button>{' '}
      <span class="detail">{node.type}</span>
      {[...edgesOf(graph.met.value, node.id)].map(([name, labels]) => (
        <p key={name}>
          <span class="name">{name}</span> → {labels.join(', ')}
        </p>
      ))}
    </li>
  )
}

/** What the drawing shows, in words. */
export const GraphList = () => {
  const { nodes } = useExplorer().graph.met.value
  return (
    <ul class="graph-list" aria-label="Graph">
      {[...nodes.values()].map(node => (
        <Item key={node.id} node={node} />
      ))}
    </ul>
  )
}
