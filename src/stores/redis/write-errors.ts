import { GraphError, isGraphError } from '../../base/errors.ts'
import type { NodeId } from '../../base/ids.ts'
import { unknownWriteError } from '../write-timeout.ts'
import { UnreplicatedError } from './command-sender.ts'
import { TypeConflict } from './node-writer.ts'

/** The parts of a batch that were certainly written. */
export const createApplied = () => ({
  deletedNodes: [] as NodeId[],
  nodes: [] as NodeId[],
  tokens: [] as string[],
  sources: [] as NodeId[],
  targets: [] as NodeId[],
})

/**
 * Returns the error of a write that failed midway. `completion` says how the caller completes the batch; undefined
 * if writing it again could apply it twice. A conflict of the id of the batch stays as it is.
 */
export const toWriteError = (
  cause: unknown,
  applied: ReturnType<typeof createApplied>,
  completion: 'again' | 'again with its id' | undefined,
): GraphError => {
  if (isGraphError(cause)) return cause
  const isExplained = cause instanceof UnreplicatedError || cause instanceof TypeConflict
  if (completion === undefined && !isExplained) return unknownWriteError(cause)
  const message =
    cause instanceof UnreplicatedError
      ? '(#2) The store failed: the write is on the master, no replica confirmed it, and it may be lost'
      : cause instanceof TypeConflict
        ? '(#2) The store failed during a write: another writer has put a node of the batch with another type'
        : `(#2) The store failed during a write; writing the same batch ${completion} completes it`
  return new GraphError('store_error', message, { applied }, { cause })
}
