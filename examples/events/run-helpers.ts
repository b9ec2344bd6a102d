import { setTimeout } from 'node:timers/promises'
import { isGraphError, type Session } from 'kithgraph'

const ATTEMPTS = 10
const LONGEST_WAIT_MS = 50

/** Whether a condition of a write did not hold. */
export const isConflict = (error: unknown): boolean => isGraphError(error) && error.reason === 'conflict'

/** Returns the id of the viewer, which every policy of these actions requires. */
export const viewerOf = ({ viewer }: Session): string => {
  if (viewer === undefined) throw new Error('A policy allows tokens without a viewer')
  return viewer
}

/**
 * Reads and writes again, after a random wait, while other callers change the same data. So a call fails only if its
 * own conditions do not hold.
 */
export const retryConflicts = async <TResult>(attempt: () => Promise<TResult>): Promise<TResult> => {
  for (let count = 1; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      if (count === ATTEMPTS || !isConflict(error)) throw error
    }
    await setTimeout(Math.random() * LONGEST_WAIT_MS)
  }
}
