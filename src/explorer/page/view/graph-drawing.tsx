import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { MetNode } from '../answer/met.ts'
import type { Point } from '../drawing/layout.ts'
import { type Line, linesOf } from '../drawing/lines.ts'
import { nearestTowards } from '../drawing/nearest.ts'
import { useLayout } from '../drawing/use-layout.ts'
import { createZoom, type Zoom } from '../drawing/zoom.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { typeClass } from './type-class.ts'

type Places = ReadonlyMap<string, Point>

const STEP = 1.4

type DrawnLineProps = {
  readonly line: Line
  readonly places: Places
  /** Whether there is room for its names. */
  readonly isNamed: boolean
}

const DrawnLine = ({ line, places, isNamed }: DrawnLineProps) => {
  const { selected } = useExplorer().graph
  const [from, to] = line.ends.map(id => places.get(id))
  if (from === undefined || to === undefined) return null
  const isNear = line.ends.some(id => id === selected.value)
  return (
    <g class={isNear ? 'line near' : 'line'}>
      <line x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
      {isNear && isNamed && (
        <text x={(from.x + to.x) / 2} y={(from.y + to.y) / 2}>
          {line.names.join(', ')}
        </text>
      )}
    </g>
  )
}

type DrawnNodeProps = {
  readonly node: MetNode
  readonly place: Point
  readonly isStop: boolean
  readonly onKey: (element: Element, key: string) => boolean
}

const DrawnNode = ({ node, place, isStop, onKey }: DrawnNodeProps) => {
  const { graph, schema } = useExplorer()
  const isSelected = graph.selected.value === node.id
  const look = (): void => {
    graph.selected.value = node.id
  }
  return (
    <g
      class={`node ${typeClass(schema.schema.value, node.type)}`}
      transform={`translate(${place.x},${place.y})`}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing has no buttons of its own */}
      <g
        role="button"
        tabindex={isStop ? 0 : -1}
        aria-label={`${node.label}, ${node.type ?? 'type not known yet'}`}
        aria-pressed={isSelected}
        data-id={node.id}
        onClick={look}
        onKeyDown={event => {
          if (event.key === 'Enter' || event.key === ' ') look()
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

const ZoomButtons = ({ zoom, places }: { readonly zoom: Zoom; readonly places: Places }) => (
  <fieldset class="zoom">
    <legend class="unseen">Zoom</legend>
    <button type="button" aria-label="Zoom in" onClick={() => zoom.by(STEP)}>
      +
    </button>
    <button type="button" aria-label="Zoom out" onClick={() => zoom.by(1 / STEP)}>
      −
    </button>
    <button type="button" onClick={() => zoom.fit(places.values())}>
      Fit
    </button>
  </fieldset>
)

/** Beyond, the names of edges would cover each other. */
const MOST_NAMED = 8

const Lines = ({ places }: { readonly places: Places }) => {
  const { met, selected } = useExplorer().graph
  const lines = linesOf(met.value)
  const near = lines.filter(({ ends }) => ends.some(id => id === selected.value))
  return (
    <>
      {lines.map(line => (
        <DrawnLine key={line.key} line={line} places={places} isNamed={near.length <= MOST_NAMED} />
      ))}
    </>
  )
}

const Nodes = ({ places }: { readonly places: Places }) => {
  const { nodes } = useExplorer().graph.met.value
  const focused = useSignal<string | undefined>(undefined)
  const stop = nodes.has(focused.value ?? '') ? focused.value : nodes.keys().next().value
  const goFrom = (element: Element, id: string, key: string): boolean => {
    const next = nearestTowards(places, id, key)
    if (next === undefined) return false
    focused.value = next
    element.closest('svg')?.querySelector<SVGGElement>(`[data-id="${next}"]`)?.focus()
    return true
  }
  return (
    <>
      {[...nodes.values()].map(node => {
        const place = places.get(node.id)
        return (
          place && (
            <DrawnNode
              key={node.id}
              node={node}
              place={place}
              isStop={node.id === stop}
              onKey={(element, key) => goFrom(element, node.id, key)}
            />
          )
        )
      })}
    </>
  )
}

/** The nodes and edges that were met, drawn. Arrow keys go from node to node, Enter looks at one. */
export const GraphDrawing = () => {
  const { graph } = useExplorer()
  const element = useRef<SVGSVGElement>(null)
  const zoom = useMemo(createZoom, [])
  const places = useLayout(graph.met)
  useEffect(() => (element.current === null ? undefined : zoom.attach(element.current)), [zoom])
  useSignalEffect(() => zoom.follow(places.value.values()))
  return (
    <div class="drawing">
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing cannot be a fieldset */}
      <svg ref={element} role="group" aria-label="Graph: arrow keys go from node to node, Enter looks at one">
        <g transform={zoom.transform}>
          <Lines places={places.value} />
          <Nodes places={places.value} />
        </g>
      </svg>
      <ZoomButtons zoom={zoom} places={places.value} />
    </div>
  )
}
