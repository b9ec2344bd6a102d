import { type IdKind, isIdOfKind, type NodeId } from '../base/ids.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import type { EdgeKey, EdgeRecord } from '../store/contract.ts'
import { EMPTY_REQUEST } from '../store/requests.ts'
import type { NodeTypes } from '../write/write-batch.ts'
import type { ReadNewest } from './write-update.ts'

/** Asserts that an id is valid, because a store may reject a read of another text. */
const assertEnd = (kind: IdKind, id: NodeId, path: string): void => {
  if (!isIdOfKind(kind, id)) throw new ValidationIssue('the id of an existing node', id, path)
}

/** An edge as it was read. */
export type ReadEdge = {
  /** The types of its ends. */
  readonly types: NodeTypes
  /** Undefined if the edge does not exist. */
  readonly record: EdgeRecord | undefined
}

/** Reads an edge and its ends. */
export const readEdge = async (
  kind: IdKind,
  readNewest: ReadNewest,
  { source, name, target }: EdgeKey,
): Promise<ReadEdge> => {
  assertEnd(kind, source, 'edge.source')
  assertEnd(kind, target, 'edge.target')
  const { nodes, checks } = await readNewest({
    ...EMPTY_REQUEST,
    nodes: [source, target],
    checks: [{ source, name, target, data: true }],
  })
  const [found] = checks
  return {
    types: new Map([source, target].map((id, index) => [id, nodes[index]?.type])),
    record: typeof found === 'object' ? found : undefined,
  }
}
