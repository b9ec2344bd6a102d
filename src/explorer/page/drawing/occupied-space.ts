import type { Point } from './layout.ts'

/**
 * A line with round ends: the space that a label or a node takes up. A circle starts and ends at the same
 * point.
 */
export type Capsule = { readonly start: Point; readonly end: Point; readonly radius: number }

/** The space that labels and nodes already take up. */
export type OccupiedSpace = {
  readonly add: (capsule: Capsule) => void
  /** Whether a capsule overlaps none of the added capsules. */
  readonly isFree: (capsule: Capsule) => boolean
}

/** Returns the distance between a point and a line between two points. */
const distanceToLine = (point: Point, start: Point, end: Point): number => {
  const [width, height] = [end.x - start.x, end.y - start.y]
  const squaredLength = width * width + height * height
  const projection = (point.x - start.x) * width + (point.y - start.y) * height
  const fraction = squaredLength === 0 ? 0 : Math.min(1, Math.max(0, projection / squaredLength))
  return Math.hypot(point.x - start.x - fraction * width, point.y - start.y - fraction * height)
}

/** Returns a positive number if a point is on one side of a line, and a negative one on the other side. */
const sideOf = (point: Point, start: Point, end: Point): number =>
  (end.x - start.x) * (point.y - start.y) - (end.y - start.y) * (point.x - start.x)

const cross = (a: Capsule, b: Capsule): boolean =>
  sideOf(a.start, b.start, b.end) * sideOf(a.end, b.start, b.end) < 0 &&
  sideOf(b.start, a.start, a.end) * sideOf(b.end, a.start, a.end) < 0

/** Whether two capsules overlap. */
export const overlaps = (a: Capsule, b: Capsule): boolean => {
  if (cross(a, b)) return true
  const distance = Math.min(
    distanceToLine(a.start, b.start, b.end),
    distanceToLine(a.end, b.start, b.end),
    distanceToLine(b.start, a.start, a.end),
    distanceToLine(b.end, a.start, a.end),
  )
  return distance < a.radius + b.radius
}

/**
 * Creates an empty space that finds neighbours in the cells of a grid. Positions may be any finite numbers.
 */
export const createOccupiedSpace = (cellSize: number): OccupiedSpace => {
  const capsulesByCell = new Map<string, Capsule[]>()
  const cellsOf = ({ start, end, radius }: Capsule): readonly string[] => {
    const toCell = (value: number): number => Math.floor(value / cellSize)
    const [left, right] = [Math.min(start.x, end.x) - radius, Math.max(start.x, end.x) + radius].map(toCell)
    const [top, bottom] = [Math.min(start.y, end.y) - radius, Math.max(start.y, end.y) + radius].map(toCell)
    const cells: string[] = []
    for (let x = left ?? 0; x <= (right ?? 0); x++)
      for (let y = top ?? 0; y <= (bottom ?? 0); y++) cells.push(`${x},${y}`)
    return cells
  }
  return {
    add: capsule => {
      for (const cell of cellsOf(capsule)) {
        const capsules = capsulesByCell.get(cell) ?? []
        capsules.push(capsule)
        capsulesByCell.set(cell, capsules)
      }
    },
    isFree: capsule =>
      !cellsOf(capsule).some(cell => capsulesByCell.get(cell)?.some(other => overlaps(capsule, other))),
  }
}
