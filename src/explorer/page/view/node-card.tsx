import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { EdgeView } from '../../schema-view.ts'
import type { MetNode } from '../answer/met.ts'
import { useExplorer } from '../state/explorer-state.ts'

const EdgeButton = ({ id, edge }: { readonly id: string; readonly edge: EdgeView }) => {
  const { graph } = useExplorer()
  const isBusy = useSignal(false)
  const expand = async (): Promise<void> => {
    if (isBusy.value) return
    isBusy.value = true
    await graph.expand(id, edge.name).finally(() => {
      isBusy.value = false
    })
  }
  return (
    <button type="button" title={edge.description} aria-busy={isBusy.value} onClick={() => void expand()}>
      {edge.name}
    </button>
  )
}

const Actions = ({ id, leave }: { readonly id: string; readonly leave: () => void }) => {
  const { journey, view } = useExplorer()
  const open = (): void => {
    view.value = 'answer'
    void journey.open(id)
  }
  return (
    <div class="node-actions">
      <button type="button" onClick={open}>
        Open
      </button>
      <button type="button" onClick={leave}>
        Close
      </button>
    </div>
  )
}

const Card = ({ node }: { readonly node: MetNode }) => {
  const { graph, schema } = useExplorer()
  const card = useRef<HTMLElement>(null)
  useEffect(() => card.current?.querySelector('button')?.focus(), [])
  const type = schema.schema.value?.types.find(({ name }) => name === node.type)
  const leave = (): void => {
    graph.selected.value = undefined
    document.querySelector<HTMLElement | SVGElement>(`[data-id="${node.id}"]`)?.focus()
  }
  return (
    <section
      class="node-card"
      aria-label={node.label}
      ref={card}
      onKeyDown={({ key }) => key === 'Escape' && leave()}
    >
      <h2>
        {node.label} <small>{[node.type, node.id].join(' ')}</small>
      </h2>
      <div class="node-edges">
        {type?.edges.map(edge => (
          <EdgeButton key={edge.name} id={node.id} edge={edge} />
        ))}
      </div>
      <Actions id={node.id} leave={leave} />
      <p class="note" role="status">
        {graph.note.value?.id === node.id && graph.note.value.text}
      </p>
    </section>
  )
}

/** The node that is looked at, and the edges that lead on from it. */
export const NodeCard = () => {
  const { met, selected } = useExplorer().graph
  const node = met.value.nodes.get(selected.value ?? '')
  return node === undefined ? null : <Card key={node.id} node={node} />
}
