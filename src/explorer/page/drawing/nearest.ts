import type { Point } from './layout.ts'

const ARROW_DIRECTIONS: { readonly [key: string]: Point | undefined } = {
  ArrowRight: { x: 1, y: 0 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowDown: { x: 0, y: 1 },
  ArrowUp: { x: 0, y: -1 },
}

/** Returns the nearest node in the direction of an arrow key. Distance to the side counts more. */
export const findNearestNode = (
  positions: ReadonlyMap<string, Point>,
  from: string,
  key: string,
): string | undefined => {
  const [start, direction] = [positions.get(from), ARROW_DIRECTIONS[key]]
  if (start === undefined || direction === undefined) return undefined
  const distances = [...positions].flatMap(([id, { x, y }]) => {
    const [across, down] = [x - start.x, y - start.y]
    const ahead = across * direction.x + down * direction.y
    const aside = Math.abs(across * direction.y) + Math.abs(down * direction.x)
    return id !== from && ahead > aside / 2 ? [[id, ahead + 2 * aside] as const] : []
  })
  return distances.sort(([, a], [, b]) => a - b)[0]?.[0]
}
