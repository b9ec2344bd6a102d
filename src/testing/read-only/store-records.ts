import { describeValue } from '../../base/describe.ts'
import { usageError } from '../../base/usage-error.ts'
import type { EdgeRecord, NodeRecord, TokenRecord } from '../../store/contract.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { createEmptyModel, type Model } from '../model.ts'
import { toNamedId } from '../renamed-ids.ts'
import { renameEdge, renameNode } from '../renaming-store.ts'

/** An edge of the records of a store. If the positions of its list have keys, `key` is that of its position. */
export type KnownEdge = EdgeRecord & { readonly key?: string | undefined }

/**
 * The whole content of a store. Both ends of each edge are among the nodes. No two nodes have the same id, and no
 * two edges the same source, name and target. Only the store orders positions with a `key`: if the edges of a list
 * have one, they are in the order `oldest` of this list.
 */
export type StoreRecords = {
  readonly nodes: readonly NodeRecord[]
  readonly edges: readonly KnownEdge[]
  readonly tokens: readonly { readonly digest: string; readonly token: TokenRecord }[]
}

/** Returns the records with named ids instead of ids of digits. */
export const renameRecords = ({ nodes, edges, tokens }: StoreRecords): StoreRecords => ({
  nodes: nodes.map(node => renameNode(node, toNamedId)),
  edges: edges.map(edge => renameEdge(edge, toNamedId)),
  tokens,
})

const withoutKey = ({ key: _, ...edge }: KnownEdge): EdgeRecord => edge

/** Returns the mutations that write the records to an empty store. */
export const toMutations = ({ nodes, edges, tokens }: StoreRecords): StoreMutation[] => [
  ...nodes.map(node => ({ op: 'putNode' as const, node })),
  ...edges.map(edge => ({ op: 'putEdge' as const, edge: withoutKey(edge) })),
  ...tokens.map(({ digest, token }) => ({ op: 'putToken' as const, digest, token })),
]

/**
 * Creates a model with the given records.
 *
 * @throws TypeError for an edge without both ends.
 */
export const createModel = ({ nodes, edges, tokens }: StoreRecords): Model => {
  const nodesById = new Map(nodes.map(node => [node.id, node]))
  edges.forEach(({ source, target }, index) => {
    for (const id of [source, target])
      if (!nodesById.has(id))
        throw usageError(
          'describeReadOnlyStore',
          `records.edges[${index}]`,
          'an edge between nodes of the records',
          `the id ${describeValue(id)}`,
        )
  })
  return {
    ...createEmptyModel(),
    nodes: nodesById,
    edges: edges.map(withoutKey),
    tokens: new Map(tokens.map(({ digest, token }) => [digest, token])),
  }
}

/** Returns the records of a model. */
export const toRecords = ({ nodes, edges, tokens }: Model): StoreRecords => ({
  nodes: [...nodes.values()],
  edges: [...edges],
  tokens: [...tokens].map(([digest, token]) => ({ digest, token })),
})
