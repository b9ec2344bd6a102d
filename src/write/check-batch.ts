import { Mismatch } from '../schema/field-type.ts'
import type { Batch } from './batch.ts'
import { checkDeleteEdge, checkPutEdge } from './check-edge.ts'
import { checkDeleteNode, checkPatchNode, checkPutNode } from './check-node.ts'
import type { Draft, Drafted } from './draft.ts'

const checkDraft = (batch: Batch, draft: Draft): void => {
  switch (draft.op) {
    case 'putNode':
      checkPutNode(batch, draft)
      break
    case 'patchNode':
      checkPatchNode(batch, draft)
      break
    case 'deleteNode':
      checkDeleteNode(batch, draft)
      break
    case 'putEdge':
      checkPutEdge(batch, draft)
      break
    case 'deleteEdge':
      checkDeleteEdge(batch, draft)
  }
}

/** Why something cannot be written, in words. */
export type Misfit = Pick<Mismatch, 'path' | 'expected' | 'came'>

/** Told of an item that cannot be written; the batch goes on without it unless this throws. */
export type Refuse<TItem> = (item: TItem, misfit: Misfit) => void

/**
 * Checks drafts in order, each after the effects of those before it. What could not even be read takes its turn too,
 * so that the first fault told is the first there is. Answers by position which item each mutation of the batch is for.
 */
export const checkBatch = <TItem extends Drafted>(
  batch: Batch,
  items: readonly TItem[],
  refuse: Refuse<TItem>,
): readonly TItem[] => {
  const origins: TItem[] = []
  for (const item of items) {
    try {
      if (item.draft instanceof Mismatch) throw item.draft
      checkDraft(batch, item.draft)
      while (origins.length < batch.mutations.length) origins.push(item)
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error
      refuse(item, error)
    }
  }
  return origins
}
