import type { Store } from '../../src/store/contract.ts'
import type { StoreMutation } from '../../src/store/mutations.ts'

/** A bulk loader of the database engine, which loads into separate tables or a separate database. */
export type BulkLoader = { readonly name: string; load(mutations: readonly StoreMutation[]): Promise<void> }

/**
 * A database engine that is ready to load data, both through a graph and through the engine's own bulk
 * loaders.
 */
export type LoadTarget = {
  readonly name: string
  readonly store: Store
  readonly bulkLoaders: readonly BulkLoader[]
  /** Returns the number of bytes that our store uses in each storage location. */
  bytes(): Promise<{ readonly [where: string]: number }>
}

type Put<TOp extends StoreMutation['op']> = Extract<StoreMutation, { op: TOp }>

/** Returns the nodes and edges of all `putNode` and `putEdge` mutations. */
export const keepPuts = (mutations: readonly StoreMutation[]) => ({
  nodes: mutations
    .filter((mutation): mutation is Put<'putNode'> => mutation.op === 'putNode')
    .map(({ node }) => node),
  edges: mutations
    .filter((mutation): mutation is Put<'putEdge'> => mutation.op === 'putEdge')
    .map(({ edge }) => edge),
})
