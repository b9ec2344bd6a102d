import { ValidationIssue } from '../schema/field-type.ts'
import type { ParsedItem, ParsedMutation } from './parsed-mutation.ts'
import { addDeleteEdge, addPutEdge } from './validate-edge.ts'
import { addDeleteNode, addPatchNode, addPutNode } from './validate-node.ts'
import type { WriteBatch } from './write-batch.ts'

/** Validates a mutation, and adds it to the batch. An edge is added with its mirror. */
const addMutation = (batch: WriteBatch, mutation: ParsedMutation): void => {
  switch (mutation.op) {
    case 'putNode':
      addPutNode(batch, mutation)
      break
    case 'patchNode':
      addPatchNode(batch, mutation)
      break
    case 'deleteNode':
      addDeleteNode(batch, mutation)
      break
    case 'putEdge':
      addPutEdge(batch, mutation)
      break
    case 'deleteEdge':
      addDeleteEdge(batch, mutation)
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
      addMutation(batch, item.parsed)
      while (itemsByMutation.length < batch.mutations.length) itemsByMutation.push(item)
    } catch (error) {
      if (!(error instanceof ValidationIssue)) throw error
      rejectItem(item, error)
    }
  }
  return itemsByMutation
}
