import type { Point } from './layout.ts'

const ARROW_DIRECTIONS: { readonly [key: string]: Point | undefined } = {
  ArrowRight: { x: 1, y: 0 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowDown: { x: 0, y: 1 },
  ArrowUp: { x: 0, y: -1 },
}

/** Returns the nearest node in the direction of an arrow key. Distance to the side has more weight. */
export const findNearestNode = (
  positions: ReadonlyMap<string, Point>,
  startId: string,
  key: string,
): string | undefined => {
  const [startPosition, direction] = [positions.get(startId), ARROW_DIRECTIONS[key]]
  if (startPosition === undefined || direction === undefined) return undefined
  const weightedDistances = [...positions].flatMap(([id, { x, y }]) => {
    const [offsetX, offsetY] = [x - startPosition.x, y - startPosition.y]
    const forwardDistance = offsetX * direction.x + offsetY * direction.y
    const sidewaysDistance = Math.abs(offsetX * direction.y) + Math.abs(offsetY * direction.x)
    return id !== startId && forwardDistance > sidewaysDistance / 2
      ? [[id, forwardDistance + 2 * sidewaysDistance] as const]
      : []
  })
  return weightedDistances.sort(([, a], [, b]) => a - b)[0]?.[0]
}
