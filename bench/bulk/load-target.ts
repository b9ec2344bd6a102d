import type { Store, StoreMutation } from '../../src/store/contract.ts'

/** A bulk loader of the engine itself, which loads into its own tables or database. */
export type BulkLoader = { readonly name: string; load(mutations: readonly StoreMutation[]): Promise<void> }

/** An engine that is ready to be loaded: by a graph into our store, and by the engine's own loader. */
export type LoadTarget = {
  readonly name: string
  readonly store: Store
  readonly bulkLoaders: readonly BulkLoader[]
  /** The number of bytes that our store takes, by storage location. */
  bytes(): Promise<{ readonly [where: string]: number }>
}

type Put<TOp extends StoreMutation['op']> = Extract<StoreMutation, { op: TOp }>

/** Selects the nodes and edges that the mutations put. */
export const keepPuts = (mutations: readonly StoreMutation[]) => ({
  nodes: mutations
    .filter((mutation): mutation is Put<'putNode'> => mutation.op === 'putNode')
    .map(({ node }) => node),
  edges: mutations
    .filter((mutation): mutation is Put<'putEdge'> => mutation.op === 'putEdge')
    .map(({ edge }) => edge),
})
