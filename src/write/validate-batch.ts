import { conflictError } from '../base/errors.ts'
import type { NodeId } from '../base/ids.ts'
import type { JsonObject } from '../base/json.ts'
import { prefixOf } from '../base/named-ids.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import type { EdgeKey, EdgeRecord } from '../store/contract.ts'
import { assertEntryKeys, createNodeEntries, limitIncrements, toEntryMutations } from './entries.ts'
import { createUnknownNameIssue } from './input-values.ts'
import type { ParsedItem, ParsedMutation, ParsedMutationOf } from './mutation.ts'
import { type ParsedCondition, validateCondition, validateIncrements } from './parse-conditions.ts'
import { chooseList, resolveEdge } from './resolve-edge.ts'
import { parseChanges, parseFields, type WritableFields } from './writable-fields.ts'
import { requireWritableType, type WriteBatch } from './write-batch.ts'

/** The failure of a condition on a missing node, or on an edge whose end is missing. */
class FailedCondition {}

/**
 * Asserts that a node exists on which a condition depends.
 *
 * @throws a {@link FailedCondition}.
 */
const requireConditionNode = (
  { types }: WriteBatch,
  id: NodeId,
  condition: ParsedCondition | undefined,
): void => {
  if (condition !== undefined && types.get(id) === undefined) throw new FailedCondition()
}

/** Validates a `putNode`, and adds it to the batch. */
const addPutNode = (batch: WriteBatch, { id, type, fields, when }: ParsedMutationOf<'putNode'>): void => {
  const writableType = batch.schema.get(type)
  if (writableType === undefined)
    throw createUnknownNameIssue('node.type', 'a type', type, batch.schema.keys())
  const { idPrefix } = writableType
  if (idPrefix !== undefined && prefixOf(id) !== idPrefix)
    throw new ValidationIssue(
      `an id that begins with "${idPrefix}-", since the type is ${type}`,
      id,
      'node.id',
    )
  const existingType = batch.types.get(id)
  const condition = validateCondition(writableType.fields, when)
  // If the node must not exist, the condition is the reason for which the node cannot be written.
  if (existingType !== undefined && existingType !== type && when === undefined)
    throw new ValidationIssue(`"${existingType}", the type of the stored node ${id}`, type, 'node.type')
  const node = { id, type, fields: parseFields(writableType.fields, fields, 'node.fields') }
  const entries = createNodeEntries(writableType.collections, id)
  assertEntryKeys('node.fields', node.fields, entries)
  batch.mutations.push({ op: 'putNode', node, when: condition }, ...toEntryMutations(entries))
  batch.types.set(id, type)
}

/** Validates a `patchNode`, whose node must exist, and adds it to the batch. */
const addPatchNode = (batch: WriteBatch, mutation: ParsedMutationOf<'patchNode'>): void => {
  const { id, when } = mutation
  requireConditionNode(batch, id, when)
  const { fields: writable, collections } = requireWritableType(batch, id, 'id')
  const fields = parseChanges(writable, mutation.fields, 'fields')
  const increment = validateIncrements(writable, mutation.increment, Object.keys(fields))
  const changedNames = [...Object.keys(fields), ...Object.keys(increment ?? {})]
  const entries = createNodeEntries(collections, id, changedNames)
  assertEntryKeys('fields', fields, entries)
  batch.mutations.push(
    {
      op: 'patchNode',
      id,
      fields,
      increment: limitIncrements(increment, entries),
      when: validateCondition(writable, when),
    },
    ...toEntryMutations(entries),
  )
}

/** Adds a `deleteNode` to the batch. Without a condition, the node need not exist. */
const addDeleteNode = (batch: WriteBatch, { id, when }: ParsedMutationOf<'deleteNode'>): void => {
  requireConditionNode(batch, id, when)
  const condition =
    when !== undefined && 'fields' in when
      ? validateCondition(requireWritableType(batch, id, 'id').fields, when)
      : when
  batch.mutations.push({ op: 'deleteNode', id, when: condition })
  batch.types.set(id, undefined)
}

const parseEdgeData = (fields: WritableFields, values: unknown): JsonObject | undefined => {
  if (values === undefined && fields.requiredNames.length === 0) return undefined
  const data = parseFields(fields, values === undefined ? {} : values, 'edge.data')
  return Object.keys(data).length > 0 ? data : undefined
}

const createEdgeRecord = (
  { source, name, target }: EdgeKey,
  time: number,
  data: JsonObject | undefined,
): EdgeRecord => (data === undefined ? { source, name, target, time } : { source, name, target, time, data })

/** Validates a `putEdge`, and adds it to the batch with its mirror. */
const addPutEdge = (batch: WriteBatch, mutation: ParsedMutationOf<'putEdge'>): void => {
  const { key, mirror, entries, dataFields } = resolveEdge(batch, chooseList(batch, mutation), mutation)
  const data = parseEdgeData(dataFields, mutation.data)
  assertEntryKeys('edge.data', data ?? {}, entries)
  const edge = createEdgeRecord(key, mutation.time, data)
  const when = validateCondition(dataFields, mutation.when)
  batch.mutations.push({ op: 'putEdge', edge, mirror, when })
  batch.mutations.push(...toEntryMutations(entries))
}

/**
 * Validates a `deleteEdge`, and adds it to the batch with the deletion of the mirror. Adds nothing if an end
 * of the edge is missing, because the edge then does not exist.
 */
const addDeleteEdge = (batch: WriteBatch, mutation: ParsedMutationOf<'deleteEdge'>): void => {
  const { source, target } = mutation
  requireConditionNode(batch, source, mutation.when)
  if (batch.types.get(source) === undefined) return
  const list = chooseList(batch, mutation)
  requireConditionNode(batch, target, mutation.when)
  if (batch.types.get(target) === undefined) return
  const { key, mirror, entries, dataFields } = resolveEdge(batch, list, mutation)
  const when = validateCondition(dataFields, mutation.when)
  batch.mutations.push({ op: 'deleteEdge', edge: key, mirror, when })
  batch.mutations.push(...toEntryMutations(entries))
}

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

/** The reason why an item cannot be written, in words. */
export type IssueDetails = Pick<ValidationIssue, 'path' | 'expected' | 'received'>

/** Called with an item that cannot be written. If it does not throw, the batch continues without the item. */
export type RejectItem<TItem> = (item: TItem, issue: IssueDetails) => void

/**
 * Validates parsed mutations in order, each after the effects of the previous ones, and adds them to the
 * batch. An item that could not be parsed is rejected in the same order, so that the first reported error is
 * the first error in the batch. Returns the item of each mutation in the batch, by position. A valid item has
 * at most one mutation, and the entries that depend on it.
 *
 * @throws GraphError `conflict` if a condition depends on a missing node. A record of a load has no condition.
 */
export const validateBatch = <TItem extends ParsedItem>(
  batch: WriteBatch,
  items: readonly TItem[],
  rejectItem: RejectItem<TItem>,
): readonly TItem[] => {
  const itemsByMutation: TItem[] = []
  for (const [index, item] of items.entries()) {
    try {
      if (item.parsed instanceof ValidationIssue) throw item.parsed
      addMutation(batch, item.parsed)
      while (batch.mutations.length > itemsByMutation.length) itemsByMutation.push(item)
    } catch (error) {
      if (error instanceof FailedCondition) throw conflictError(index, 'when.exists', undefined)
      if (!(error instanceof ValidationIssue)) throw error
      rejectItem(item, error)
    }
  }
  return itemsByMutation
}
