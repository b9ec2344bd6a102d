import type { Limits } from './limits.ts'
import type { Selection } from './plan.ts'

/** Whether a list below a selection is counted row by row. */
const countsRows = ({ types }: Selection, visited = new Set<Selection>()): boolean =>
  [...types.values()].some(({ cellSteps }) =>
    cellSteps.some(step => {
      if (step.kind !== 'ref' && step.kind !== 'edge') return false
      if (step.kind === 'edge' && step.edge.summary && step.edge.countKind === 'exact') return true
      const below = step.kind === 'ref' ? step.selection : step.edge.selection
      if (visited.has(below)) return false
      visited.add(below)
      return countsRows(below, visited)
    }),
  )

/** The drawn limit of a call is at most this many times `limits.scan`. */
const MAX_DRAW_FACTOR = 2

/**
 * Computes the maximum number of examined edges: the entries of lists without a policy, plus the maximum
 * drawn limit if there are lists under a policy, or lists that are counted row by row.
 */
export const computeMaxExamined = (
  selection: Selection,
  edgeLimit: number | undefined,
  isFiltered: boolean,
  { scan: scanLimit }: Limits,
): number => {
  const { maxEdgesWithoutPolicy, openings } = selection
  const entryCount =
    edgeLimit === undefined
      ? maxEdgesWithoutPolicy
      : edgeLimit * ((isFiltered ? 0 : 1) + maxEdgesWithoutPolicy)
  const usesScanLimit = isFiltered || openings.size > 0 || countsRows(selection)
  return entryCount + (usesScanLimit ? MAX_DRAW_FACTOR * scanLimit : 0)
}
