import { ValidationIssue } from '../schema/field-type.ts'
import type { ParsedItem, ParsedMutation } from './parsed-mutation.ts'
import { validateDeleteEdge, validatePutEdge } from './validate-edge.ts'
import { validateDeleteNode, validatePatchNode, validatePutNode } from './validate-node.ts'
import type { WriteBatch } from './write-batch.ts'

const validateMutation = (batch: WriteBatch, mutation: ParsedMutation): void => {
  switch (mutation.op) {
    case 'putNode':
      validatePutNode(batch, mutation)
      break
    case 'patchNode':
      validatePatchNode(batch, mutation)
      break
    case 'deleteNode':
      validateDeleteNode(batch, mutation)
      break
    case 'putEdge':
      validatePutEdge(batch, mutation)
      break
    case 'deleteEdge':
      validateDeleteEdge(batch, mutation)
  }
}

/** The reason why something cannot be written, in words. */
export type IssueDetails = Pick<ValidationIssue, 'path' | 'expected' | 'received'>

/** Called with an item that cannot be written. The batch continues without it unless this throws. */
export type RejectItem<TItem> = (item: TItem, issue: IssueDetails) => void

/**
 * Validates parsed mutations in order, each after the effects of those before it. An item that could not be
 * parsed is rejected in its turn, so that the first reported error is the first in the batch. Returns, by
 * position, the item of each mutation.
 */
export const validateBatch = <TItem extends ParsedItem>(
  batch: WriteBatch,
  items: readonly TItem[],
  rejectItem: RejectItem<TItem>,
): readonly TItem[] => {
  const itemsByMutation: TItem[] = []
  for (const item of items) {
    try {
      if (item.parsed instanceof ValidationIssue) throw item.parsed
      validateMutation(batch, item.parsed)
      while (itemsByMutation.length < batch.mutations.length) itemsByMutation.push(item)
    } catch (error) {
      if (!(error instanceof ValidationIssue)) throw error
      rejectItem(item, error)
    }
  }
  return itemsByMutation
}
