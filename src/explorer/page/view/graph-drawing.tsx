import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Point } from '../drawing/layout.ts'
import { type Line, toLines } from '../drawing/lines.ts'
import { findNearestNode } from '../drawing/nearest.ts'
import { useLayout } from '../drawing/use-layout.ts'
import { createZoom, type Zoom } from '../drawing/zoom.ts'
import type { SeenNode } from '../response/seen-graph.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { typeClassName } from './class-names.ts'

type Positions = ReadonlyMap<string, Point>

const ZOOM_STEP = 1.4

type DrawnLineProps = {
  readonly line: Line
  readonly positions: Positions
  /** Whether there is room for its names. */
  readonly hasRoomForNames: boolean
}

const DrawnLine = ({ line, positions, hasRoomForNames }: DrawnLineProps) => {
  const { selectedId } = useExplorer().graph
  const [start, end] = line.ends.map(id => positions.get(id))
  if (start === undefined || end === undefined) return null
  const endsAtSelectedNode = line.ends.some(id => id === selectedId.value)
  return (
    <g class={endsAtSelectedNode ? 'line near' : 'line'}>
      <line x1={start.x} y1={start.y} x2={end.x} y2={end.y} />
      {endsAtSelectedNode && hasRoomForNames && (
        <text x={(start.x + end.x) / 2} y={(start.y + end.y) / 2}>
          {line.names.join(', ')}
        </text>
      )}
    </g>
  )
}

type DrawnNodeProps = {
  readonly node: SeenNode
  readonly position: Point
  readonly isTabStop: boolean
  readonly onKey: (element: Element, key: string) => boolean
}

const DrawnNode = ({ node, position, isTabStop, onKey }: DrawnNodeProps) => {
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
        <circle r="14" />
        <text class="label" y="28">
          {node.label}
        </text>
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

/** With more lines, the names of edges would overlap. */
const MAX_NAMED_LINES = 8

const DrawnLines = ({ positions }: { readonly positions: Positions }) => {
  const { seenGraph, selectedId } = useExplorer().graph
  const lines = toLines(seenGraph.value)
  const selectedNodeLines = lines.filter(({ ends }) => ends.some(id => id === selectedId.value))
  return (
    <>
      {lines.map(line => (
        <DrawnLine
          key={line.key}
          line={line}
          positions={positions}
          hasRoomForNames={selectedNodeLines.length <= MAX_NAMED_LINES}
        />
      ))}
    </>
  )
}

const DrawnNodes = ({ positions }: { readonly positions: Positions }) => {
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
              isTabStop={node.id === tabStopId}
              onKey={(element, key) => moveFocus(element, node.id, key)}
            />
          )
        )
      })}
    </>
  )
}

/** The drawing of the nodes and edges. Arrow keys move between nodes, Enter selects one. */
export const GraphDrawing = () => {
  const { graph } = useExplorer()
  const element = useRef<SVGSVGElement>(null)
  const zoom = useMemo(createZoom, [])
  const positions = useLayout(graph.seenGraph)
  useEffect(() => (element.current === null ? undefined : zoom.attach(element.current)), [zoom])
  useSignalEffect(() => zoom.fitUnlessMoved(positions.value.values()))
  return (
    <div class="drawing">
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing cannot be a fieldset */}
      <svg ref={element} role="group" aria-label="Graph: arrow keys move between nodes, Enter selects one">
        <g transform={zoom.transform}>
          <DrawnLines positions={positions.value} />
          <DrawnNodes positions={positions.value} />
        </g>
      </svg>
      <ZoomButtons zoom={zoom} positions={positions.value} />
    </div>
  )
}
