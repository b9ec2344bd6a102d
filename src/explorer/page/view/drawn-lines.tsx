import type { Point } from '../drawing/layout.ts'
import type { Line } from '../drawing/lines.ts'
import type { LineLabel, PlacedLabels } from '../drawing/place-labels.ts'
import { useExplorer } from '../state/explorer-state.ts'

type DrawnLineProps = {
  readonly line: Line
  readonly positions: ReadonlyMap<string, Point>
  /** The label; undefined if there is no room for it. */
  readonly label: LineLabel | undefined
  readonly fontSize: number
}

const DrawnLine = ({ line, positions, label, fontSize }: DrawnLineProps) => {
  const { selectedId } = useExplorer().graph
  const [start, end] = line.ends.map(id => positions.get(id))
  if (start === undefined || end === undefined) return null
  const endsAtSelectedNode = line.ends.some(id => id === selectedId.value)
  return (
    <g class={endsAtSelectedNode ? 'line near' : 'line'}>
      <line x1={start.x} y1={start.y} x2={end.x} y2={end.y} />
      {label !== undefined && (
        <text font-size={fontSize} transform={`translate(${label.x},${label.y}) rotate(${label.angle})`}>
          {label.text}
        </text>
      )}
    </g>
  )
}

type DrawnLinesProps = {
  readonly lines: readonly Line[]
  readonly positions: ReadonlyMap<string, Point>
  readonly labels: PlacedLabels
}

/** The lines and their labels. Screen readers read the list instead. */
export const DrawnLines = ({ lines, positions, labels }: DrawnLinesProps) => (
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: no line can be focused
  <g aria-hidden="true">
    {lines.map(line => (
      <DrawnLine
        key={line.key}
        line={line}
        positions={positions}
        label={labels.lineLabels.get(line.key)}
        fontSize={labels.fontSize}
      />
    ))}
  </g>
)
