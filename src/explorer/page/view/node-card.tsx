import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { EdgeView } from '../../schema-view.ts'
import type { SeenNode } from '../response/seen-graph.ts'
import { useExplorer } from '../state/explorer-state.ts'

const EdgeButton = ({ id, edge }: { readonly id: string; readonly edge: EdgeView }) => {
  const { graph } = useExplorer()
  const isBusy = useSignal(false)
  const expand = async (): Promise<void> => {
    if (isBusy.value) return
    isBusy.value = true
    await graph.expandEdge(id, edge.name).finally(() => {
      isBusy.value = false
    })
  }
  return (
    <button type="button" title={edge.description} aria-busy={isBusy.value} onClick={() => void expand()}>
      {edge.name}
    </button>
  )
}

const NodeCardActions = ({ id, close }: { readonly id: string; readonly close: () => void }) => {
  const { navigation, view } = useExplorer()
  const open = (): void => {
    view.value = 'response'
    void navigation.openPath(id)
  }
  return (
    <div class="node-actions">
      <button type="button" onClick={open}>
        Open
      </button>
      <button type="button" onClick={close}>
        Close
      </button>
    </div>
  )
}

const NodeCardContent = ({ node }: { readonly node: SeenNode }) => {
  const { graph, schema } = useExplorer()
  const card = useRef<HTMLElement>(null)
  useEffect(() => card.current?.querySelector('button')?.focus(), [])
  const type = schema.schema.value?.types.find(({ name }) => name === node.type)
  const close = (): void => {
    graph.selectedId.value = undefined
    document.querySelector<HTMLElement | SVGElement>(`[data-id="${node.id}"]`)?.focus()
  }
  return (
    <section
      class="node-card"
      aria-label={node.label}
      ref={card}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <h2>
        {node.label} <small>{[node.type, node.id].join(' ')}</small>
      </h2>
      <div class="node-edges">
        {type?.edges.map(edge => (
          <EdgeButton key={edge.name} id={node.id} edge={edge} />
        ))}
      </div>
      <NodeCardActions id={node.id} close={close} />
      <p class="note" role="status">
        {graph.nodeNote.value?.id === node.id && graph.nodeNote.value.text}
      </p>
    </section>
  )
}

/** The selected node, and its edges. */
export const NodeCard = () => {
  const { seenGraph, selectedId } = useExplorer().graph
  const node = seenGraph.value.nodes.get(selectedId.value ?? '')
  return node === undefined ? null : <NodeCardContent key={node.id} node={node} />
}
