import type { NodeId } from '../base/ids.ts'
import { ValidationIssue } from '../schema/field-type.ts'
import type { StoreReader, StoreReadOptions } from '../store/contract.ts'
import type { ParsedItem } from './parsed-mutation.ts'

/** The type of each node of a batch, as the mutations so far leave it; undefined if there is no node. */
export type NodeTypes = Map<NodeId, string | undefined>

/** The maximum number of nodes per read request, which the contract requires of every store. */
const NODES_PER_READ = 500

/** Reads the types of all nodes of a batch, in as few concurrent read requests as possible. */
export const readNodeTypes = async (
  store: StoreReader,
  items: Iterable<ParsedItem>,
  options: StoreReadOptions,
): Promise<NodeTypes> => {
  const types: NodeTypes = new Map()
  for (const { parsed } of items) {
    if (parsed instanceof ValidationIssue) continue
    if ('id' in parsed) types.set(parsed.id, undefined)
    else types.set(parsed.source, undefined).set(parsed.target, undefined)
  }
  const ids = [...types.keys()]
  const idChunks: NodeId[][] = []
  for (let start = 0; start < ids.length; start += NODES_PER_READ)
    idChunks.push(ids.slice(start, start + NODES_PER_READ))
  const results = await Promise.all(
    idChunks.map(nodes => store.read({ nodes, ranges: [], checks: [], tokens: [] }, options)),
  )
  for (const { nodes } of results) {
    for (const node of nodes) if (node !== undefined) types.set(node.id, node.type)
  }
  return types
}
