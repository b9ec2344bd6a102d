import { compareIds } from '../base/ids.ts'
import type { EdgePosition } from './contract.ts'

/**
 * The total order of an edge list, oldest first: by time, then by target as a number. `newest` walks it
 * backwards.
 */
export const comparePositions = (a: EdgePosition, b: EdgePosition): number =>
  a.time !== b.time ? a.time - b.time : compareIds(a.target, b.target)
