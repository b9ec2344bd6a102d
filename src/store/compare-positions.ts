import { compareIds } from '../base/ids.ts'
import type { EdgePosition } from './contract.ts'

/**
 * Compares two positions without a key of an edge list: by time, oldest first, then by target. The direction
 * `newest` reads this order backwards.
 */
export const comparePositions = (a: EdgePosition, b: EdgePosition): number =>
  a.time !== b.time ? a.time - b.time : compareIds(a.target, b.target)
