import { useComputed, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Point } from '../drawing/layout.ts'
import { toLines } from '../drawing/lines.ts'
import { findNearestNode } from '../drawing/nearest.ts'
import { NODE_RADIUS, type PlacedLabels, placeLabels } from '../drawing/place-labels.ts'
import { useLayout } from '../drawing/use-layout.ts'
import { createZoom, type Zoom } from '../drawing/zoom.ts'
import type { SeenNode } from '../response/seen-graph.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { typeClassName } from './class-names.ts'
import { DrawnLines } from './drawn-lines.tsx'

type Positions = ReadonlyMap<string, Point>

const ZOOM_STEP = 1.4

type DrawnNodeProps = {
  readonly node: SeenNode
  readonly position: Point
  readonly labels: PlacedLabels
  readonly isTabStop: boolean
  readonly onKey: (element: Element, key: string) => boolean
}

const NodeLabel = ({ node, labels }: Pick<DrawnNodeProps, 'node' | 'labels'>) => (
  <text
    class={labels.nodeIds.has(node.id) ? 'label' : 'label crowded'}
    y={labels.nodeLabelOffset}
    font-size={labels.fontSize}
  >
    {node.label}
  </text>
)

const DrawnNode = ({ node, position, labels, isTabStop, onKey }: DrawnNodeProps) => {
  const { graph, schema } = useExplorer()
  const isSelected = graph.selectedId.value === node.id
  const select = (): void => {
    graph.selectedId.value = node.id
  }
  return (
    <g
      class={`node ${typeClassName(schema.schema.value, node.type)}`}
      transform={`translate(${position.x},${position.y})`}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing has no buttons of its own */}
      <g
        role="button"
        tabindex={isTabStop ? 0 : -1}
        aria-label={`${node.label}, ${node.type ?? 'type not known yet'}`}
        aria-pressed={isSelected}
        data-id={node.id}
        onClick={select}
        onKeyDown={event => {
          if (event.key === 'Enter' || event.key === ' ') select()
          else if (!onKey(event.currentTarget, event.key)) return
          event.preventDefault()
        }}
      >
        <circle r={NODE_RADIUS} />
        <NodeLabel node={node} labels={labels} />
      </g>
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: no text of a drawing can be focused */}
      <text class="initial" aria-hidden="true">
        {(node.type ?? '?').charAt(0).toUpperCase()}
      </text>
    </g>
  )
}

const ZoomButtons = ({ zoom, positions }: { readonly zoom: Zoom; readonly positions: Positions }) => (
  <fieldset class="zoom">
    <legend class="unseen">Zoom</legend>
    <button type="button" aria-label="Zoom in" onClick={() => zoom.scaleBy(ZOOM_STEP)}>
      +
    </button>
    <button type="button" aria-label="Zoom out" onClick={() => zoom.scaleBy(1 / ZOOM_STEP)}>
      −
    </button>
    <button type="button" onClick={() => zoom.fitAll(positions.values())}>
      Fit
    </button>
  </fieldset>
)

const DrawnNodes = ({
  positions,
  labels,
}: {
  readonly positions: Positions
  readonly labels: PlacedLabels
}) => {
  const { nodes } = useExplorer().graph.seenGraph.value
  const focusedId = useSignal<string | undefined>(undefined)
  const tabStopId = nodes.has(focusedId.value ?? '') ? focusedId.value : nodes.keys().next().value
  const moveFocus = (element: Element, id: string, key: string): boolean => {
    const nextId = findNearestNode(positions, id, key)
    if (nextId === undefined) return false
    focusedId.value = nextId
    element.closest('svg')?.querySelector<SVGGElement>(`[data-id="${nextId}"]`)?.focus()
    return true
  }
  return (
    <>
      {[...nodes.values()].map(node => {
        const position = positions.get(node.id)
        return (
          position && (
            <DrawnNode
              key={node.id}
              node={node}
              position={position}
              labels={labels}
              isTabStop={node.id === tabStopId}
              onKey={(element, key) => moveFocus(element, node.id, key)}
            />
          )
        )
      })}
    </>
  )
}

/** The drawing of the nodes and edges. Arrow keys move between nodes, and Enter selects a node. */
export const GraphDrawing = () => {
  const { graph } = useExplorer()
  const element = useRef<SVGSVGElement>(null)
  const zoom = useMemo(createZoom, [])
  const positions = useLayout(graph.seenGraph)
  useEffect(() => (element.current === null ? undefined : zoom.attach(element.current)), [zoom])
  useSignalEffect(() => zoom.fitUnlessMoved(positions.value.values()))
  const lines = useComputed(() => toLines(graph.seenGraph.value))
  const labels = useComputed(() =>
    placeLabels({
      nodes: graph.seenGraph.value.nodes.values(),
      lines: lines.value,
      positions: positions.value,
      scale: zoom.scale.value,
      selectedId: graph.selectedId.value,
    }),
  )
  return (
    <div class="drawing">
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing cannot be a fieldset */}
      <svg ref={element} role="group" aria-label="Graph: arrow keys move between nodes, Enter selects one">
        <g transform={zoom.transform}>
          <DrawnLines lines={lines.value} positions={positions.value} labels={labels.value} />
          <DrawnNodes positions={positions.value} labels={labels.value} />
        </g>
      </svg>
      <ZoomButtons zoom={zoom} positions={positions.value} />
    </div>
  )
}
