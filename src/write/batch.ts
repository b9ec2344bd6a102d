import type { NodeId } from '../base/ids.ts'
import { Mismatch } from '../schema/field-type.ts'
import type { Mutation } from '../store/contract.ts'
import type { NodeTypes } from './node-types.ts'
import type { WritableType, WriteSchema } from './write-schema.ts'

/** A batch on its way to the store. */
export type Batch = {
  readonly schema: WriteSchema
  readonly types: NodeTypes
  /** What was found good so far, mirrors included, in the order of the drafts. */
  readonly mutations: Mutation[]
}

/** The type of a node that must exist by now. @throws a {@link Mismatch}. */
export const typeOf = ({ types }: Batch, id: NodeId, path: string): string => {
  const type = types.get(id)
  if (type === undefined) throw new Mismatch('the id of a node that exists', id, path)
  return type
}

/** The same, resolved: a store may hold nodes of types that the schema no longer has. @throws a {@link Mismatch}. */
export const knownTypeOf = (batch: Batch, id: NodeId, path: string): WritableType => {
  const name = typeOf(batch, id, path)
  const type = batch.schema.get(name)
  if (type === undefined) throw new Mismatch(`the id of a node of the schema, not of a ${name}`, id, path)
  return type
}
