import type { Mutation, Store } from '../../src/store/contract.ts'

/** An engine, ready to be loaded twice: by a graph into our store, and into a second place by the engine's own means. */
export type LoadTarget = {
  readonly name: string
  readonly store: Store
  /** What the engine's own means are called. */
  readonly means: string
  bulk(mutations: readonly Mutation[]): Promise<void>
  /** The bytes that our store takes there. */
  bytes(): Promise<number>
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
