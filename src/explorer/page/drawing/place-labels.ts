import type { SeenNode } from '../response/seen-graph.ts'
import type { Point } from './layout.ts'
import type { Line } from './lines.ts'
import { type Capsule, createOccupiedSpace, type OccupiedSpace } from './occupied-space.ts'

/** The radius of a node. */
export const NODE_RADIUS = 14

/** The drawing whose labels are placed. */
export type LabelInput = {
  readonly nodes: Iterable<SeenNode>
  readonly lines: readonly Line[]
  readonly positions: ReadonlyMap<string, Point>
  readonly scale: number
  readonly selectedId: string | undefined
}

/** The label of a line: its centre, and its angle in degrees. The text is never upside down. */
export type LineLabel = Point & { readonly angle: number; readonly text: string }

/** The labels that fit into the drawing, and their font size. */
export type PlacedLabels = {
  readonly fontSize: number
  /** The distance between the centre of a node and the baseline of its label. */
  readonly nodeLabelOffset: number
  readonly nodeIds: ReadonlySet<string>
  /** The labels by the key of their line. */
  readonly lineLabels: ReadonlyMap<string, LineLabel>
}

/** The font size in screen pixels. */
const FONT_SIZE = 11
/** The average width of a letter, relative to the font size. */
const LETTER_WIDTH = 0.56
/** Half of the height of a label, relative to the font size. */
const HALF_HEIGHT = 0.55
/** The possible positions of a label on its line, as fractions of the line, best first. */
const LINE_FRACTIONS = [0.5, 0.43, 0.57, 0.36, 0.64, 0.29, 0.71, 0.22, 0.78]

/** Returns the space that a text takes up. `angle` is in radians. */
const toTextCapsule = (text: string, centre: Point, angle: number, fontSize: number): Capsule => {
  const halfLength = Math.max(0, ((text.length * LETTER_WIDTH) / 2 - HALF_HEIGHT) * fontSize)
  const [x, y] = [halfLength * Math.cos(angle), halfLength * Math.sin(angle)]
  return {
    start: { x: centre.x - x, y: centre.y - y },
    end: { x: centre.x + x, y: centre.y + y },
    radius: HALF_HEIGHT * fontSize,
  }
}

/** Returns an angle between -90° and 90°, so that the text is not upside down. */
const toUprightAngle = (start: Point, end: Point): number => {
  const angle = Math.atan2(end.y - start.y, end.x - start.x)
  return Math.abs(angle) > Math.PI / 2 ? angle - Math.sign(angle) * Math.PI : angle
}

/** Places a label at a free part of its line. Returns undefined if no part is free. */
const placeLineLabel = (
  { ends, names }: Line,
  positions: LabelInput['positions'],
  fontSize: number,
  space: OccupiedSpace,
): LineLabel | undefined => {
  const [start, end] = ends.map(id => positions.get(id))
  if (start === undefined || end === undefined) return undefined
  const [text, angle] = [names.join(', '), toUprightAngle(start, end)]
  const freeLength = Math.hypot(end.x - start.x, end.y - start.y) - 2 * NODE_RADIUS
  if (text.length * LETTER_WIDTH * fontSize > freeLength) return undefined
  for (const fraction of LINE_FRACTIONS) {
    const x = start.x + fraction * (end.x - start.x)
    const y = start.y + fraction * (end.y - start.y)
    const capsule = toTextCapsule(text, { x, y }, angle, fontSize)
    if (!space.isFree(capsule)) continue
    space.add(capsule)
    return { x, y, text, angle: (angle * 180) / Math.PI }
  }
  return undefined
}

/** Counts the lines of each node. */
const countLines = (lines: readonly Line[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const id of lines.flatMap(({ ends }) => ends)) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

/**
 * Chooses the labels that do not overlap. The font size on the screen is the same at every zoom, so there is
 * room for more labels if the zoom is larger. The selected node comes first, then the nodes with the most
 * lines, then the lines.
 */
export const placeLabels = ({ nodes, lines, positions, scale, selectedId }: LabelInput): PlacedLabels => {
  const fontSize = FONT_SIZE / scale
  const nodeLabelOffset = NODE_RADIUS + 1.25 * fontSize
  const space = createOccupiedSpace(4 * fontSize)
  for (const point of positions.values()) space.add({ start: point, end: point, radius: NODE_RADIUS })
  const nodeIds = new Set<string>()
  const lineLabels = new Map<string, LineLabel>()
  const placeNode = ({ id, label }: SeenNode): void => {
    const position = positions.get(id)
    if (position === undefined) return
    const centre = { x: position.x, y: position.y + nodeLabelOffset - 0.35 * fontSize }
    const capsule = toTextCapsule(label, centre, 0, fontSize)
    if (id !== selectedId && !space.isFree(capsule)) return
    space.add(capsule)
    nodeIds.add(id)
  }
  const placeLine = (line: Line): void => {
    const label = placeLineLabel(line, positions, fontSize, space)
    if (label !== undefined) lineLabels.set(line.key, label)
  }
  const lineCounts = countLines(lines)
  const rankOf = (id: string): number => (id === selectedId ? Infinity : (lineCounts.get(id) ?? 0))
  const isSelected = (line: Line): boolean => line.ends.some(id => id === selectedId)
  const rankedNodes = [...nodes].sort((a, b) => rankOf(b.id) - rankOf(a.id))
  rankedNodes.slice(0, 1).forEach(placeNode)
  lines.filter(isSelected).forEach(placeLine)
  rankedNodes.slice(1).forEach(placeNode)
  lines.filter(line => !isSelected(line)).forEach(placeLine)
  return { fontSize, nodeLabelOffset, nodeIds, lineLabels }
}
