import { ValidationIssue } from '../schema/field-type.ts'
import type { ParsedMutationOf } from './parsed-mutation.ts'
import { createUnknownNameIssue } from './unknown-object.ts'
import { parseChanges, parseFields } from './writable-fields.ts'
import { requireWritableType, type WriteBatch } from './write-batch.ts'

/** Validates the put of a node, and adds it to the batch. */
export const addPutNode = (batch: WriteBatch, { id, type, fields }: ParsedMutationOf<'putNode'>): void => {
  const writableType = batch.schema.get(type)
  if (writableType === undefined)
    throw createUnknownNameIssue('node.type', 'a type', type, batch.schema.keys())
  const existingType = batch.types.get(id)
  if (existingType !== undefined && existingType !== type)
    throw new ValidationIssue(`"${existingType}", the type of the stored node ${id}`, type, 'node.type')
  const node = { id, type, fields: parseFields(writableType.fields, fields, 'node.fields') }
  batch.mutations.push({ op: 'putNode', node })
  batch.types.set(id, type)
}

/** Validates the patch of a node, which must exist, and adds it to the batch. */
export const addPatchNode = (batch: WriteBatch, { id, fields }: ParsedMutationOf<'patchNode'>): void => {
  const writableType = requireWritableType(batch, id, 'id')
  batch.mutations.push({ op: 'patchNode', id, fields: parseChanges(writableType.fields, fields, 'fields') })
}

/** Adds the deletion of a node, which need not exist. */
export const addDeleteNode = (batch: WriteBatch, { id }: ParsedMutationOf<'deleteNode'>): void => {
  batch.mutations.push({ op: 'deleteNode', id })
  batch.types.set(id, undefined)
}
