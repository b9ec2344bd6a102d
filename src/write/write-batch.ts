import type { NodeId } from '../base/ids.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import type { StoreMutation } from '../store/mutations.ts'
import type { WritableType, WriteSchema } from './write-schema.ts'

/** The type of each node of a batch after the mutations so far; undefined if the node does not exist. */
export type NodeTypes = Map<NodeId, string | undefined>

/** A batch that is being validated. */
export type WriteBatch = {
  readonly schema: WriteSchema
  readonly types: NodeTypes
  /** The valid mutations so far, with their mirrors, in the order of the input. */
  readonly mutations: StoreMutation[]
}

/**
 * Returns the type of a node that must exist at this point.
 *
 * @throws a {@link ValidationIssue}.
 */
export const requireNodeType = ({ types }: WriteBatch, id: NodeId, path: string): string => {
  const type = types.get(id)
  if (type === undefined) throw new ValidationIssue('the id of an existing node', id, path)
  return type
}

/**
 * Returns the writable type of a node that must exist at this point. Rejects types that the schema no longer
 * has, because a store may still contain nodes of these types.
 *
 * @throws a {@link ValidationIssue}.
 */
export const requireWritableType = (batch: WriteBatch, id: NodeId, path: string): WritableType => {
  const typeName = requireNodeType(batch, id, path)
  const writableType = batch.schema.get(typeName)
  if (writableType === undefined)
    throw new ValidationIssue(`the id of a node whose type the schema declares (not ${typeName})`, id, path)
  return writableType
}
