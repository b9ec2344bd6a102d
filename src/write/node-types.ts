import type { NodeId } from '../base/ids.ts'
import { Mismatch } from '../schema/field-type.ts'
import type { ReadOptions, StoreReader } from '../store/contract.ts'
import type { Drafted } from './draft.ts'

/** The type of each node that a batch is about, as the mutations so far leave it; undefined where there is no node. */
export type NodeTypes = Map<NodeId, string | undefined>

/** The most nodes that one wave asks for: what the contract has every store answer. */
const WAVE = 500

/** Reads the types of all nodes that a batch is about, in as few waves as their number allows, all at once. */
export const readNodeTypes = async (
  store: StoreReader,
  items: Iterable<Drafted>,
  options: ReadOptions,
): Promise<NodeTypes> => {
  const types: NodeTypes = new Map()
  for (const { draft } of items) {
    if (draft instanceof Mismatch) continue
    if ('id' in draft) types.set(draft.id, undefined)
    else types.set(draft.source, undefined).set(draft.target, undefined)
  }
  const ids = [...types.keys()]
  const waves: NodeId[][] = []
  for (let start = 0; start < ids.length; start += WAVE) waves.push(ids.slice(start, start + WAVE))
  const answers = await Promise.all(
    waves.map(nodes => store.read({ nodes, ranges: [], tests: [], tokens: [] }, options)),
  )
  for (const { nodes } of answers) {
    for (const node of nodes) if (node !== undefined) types.set(node.id, node.type)
  }
  return types
}
