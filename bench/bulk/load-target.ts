import type { Mutation, Store } from '../../src/store/contract.ts'

/** A means of the engine's own, which loads into a place of its own. */
export type BulkMeans = { readonly name: string; load(mutations: readonly Mutation[]): Promise<void> }

/** An engine, ready to be loaded: by a graph into our store, and by the engine's own means. */
export type LoadTarget = {
  readonly name: string
  readonly store: Store
  readonly means: readonly BulkMeans[]
  /** The bytes that our store takes, by where. */
  bytes(): Promise<{ readonly [where: string]: number }>
}

type Put<TOp extends Mutation['op']> = Extract<Mutation, { op: TOp }>

/** The nodes and edges that mutations put. */
export const putsOf = (mutations: readonly Mutation[]) => ({
  nodes: mutations
    .filter((mutation): mutation is Put<'putNode'> => mutation.op === 'putNode')
    .map(({ node }) => node),
  edges: mutations
    .filter((mutation): mutation is Put<'putEdge'> => mutation.op === 'putEdge')
    .map(({ edge }) => edge),
})
