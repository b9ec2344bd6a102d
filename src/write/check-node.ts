import { Mismatch } from '../schema/field-type.ts'
import { type Batch, knownTypeOf } from './batch.ts'
import type { DraftOf } from './draft.ts'
import { unknownName } from './members.ts'
import { parseChanges, parseFields } from './writable-fields.ts'

export const checkPutNode = (batch: Batch, { id, type, fields }: DraftOf<'putNode'>): void => {
  const writable = batch.schema.get(type)
  if (writable === undefined) throw unknownName('node.type', 'a type', type, batch.schema.keys())
  const before = batch.types.get(id)
  if (before !== undefined && before !== type)
    throw new Mismatch(`${before}, which node ${id} has been`, type, 'node.type')
  const node = { id, type, fields: parseFields(writable.fields, fields, 'node.fields') }
  batch.mutations.push({ op: 'putNode', node })
  batch.types.set(id, type)
}

export const checkPatchNode = (batch: Batch, { id, fields }: DraftOf<'patchNode'>): void => {
  const writable = knownTypeOf(batch, id, 'id')
  batch.mutations.push({ op: 'patchNode', id, fields: parseChanges(writable.fields, fields, 'fields') })
}

export const checkDeleteNode = (batch: Batch, { id }: DraftOf<'deleteNode'>): void => {
  batch.mutations.push({ op: 'deleteNode', id })
  batch.types.set(id, undefined)
}
