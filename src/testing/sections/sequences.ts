import type { Mutation, Wave } from '../../store/contract.ts'
import { arbitraries, type SmallGraph } from '../arbitraries.ts'
import { assertEqual, rejectionOf } from '../assertions.ts'
import { answerWave, emptyModel, type Model, writeModel } from '../model.ts'
import { rangeOf } from '../records.ts'
import type { StoreProbe } from '../store-probe.ts'
import type { StoreSuite } from '../store-suite.ts'

/** Data, so that a counterexample can be read and pasted. */
type Step = { readonly write: readonly Mutation[] } | { readonly read: Wave }

const mutationsOf = ({ nodes, edges }: SmallGraph): Mutation[] => [
  ...nodes.map(node => ({ op: 'putNode' as const, node })),
  ...edges.map(edge => ({ op: 'putEdge' as const, edge })),
]

const written = (model: Model, batch: readonly Mutation[]): Model | undefined => {
  try {
    return writeModel(model, batch)
  } catch {
    return undefined
  }
}

const concerns = ({ op }: Mutation): number => (op.endsWith('Node') ? 0 : op.endsWith('Edge') ? 1 : 2)

/** A store that is atomic by source applies nodes before edges. */
const inOrderOf = (store: StoreProbe, batch: readonly Mutation[]): readonly Mutation[] =>
  store.capabilities.atomicity === 'batch' ? batch : batch.toSorted((a, b) => concerns(a) - concerns(b))

/** Writes to the store what can be written to the model, and expects the refusal of what can not. */
const write = async (store: StoreProbe, model: Model, batch: readonly Mutation[]): Promise<Model> => {
  const ordered = inOrderOf(store, batch)
  const next = written(model, ordered)
  if (next !== undefined) await store.write(...ordered)
  else if (store.capabilities.atomicity === 'batch')
    await rejectionOf(() => store.write(...ordered), `the batch ${JSON.stringify(batch)}`)
  return next ?? model
}

/** All that the mutations speak of: what a wrong write may have changed. */
const everythingIn = (mutations: readonly Mutation[]): Wave => {
  const edges = mutations.flatMap(mutation =>
    mutation.op === 'putEdge' || mutation.op === 'deleteEdge' ? [mutation.edge] : [],
  )
  return {
    nodes: mutations.flatMap(mutation =>
      mutation.op === 'putNode' ? [mutation.node.id] : 'id' in mutation ? [mutation.id] : [],
    ),
    ranges: edges.map(({ source, name }) => rangeOf(source, name)),
    tests: edges,
    tokens: mutations.flatMap(mutation => ('digest' in mutation ? [mutation.digest] : [])),
  }
}

const play = async (store: StoreProbe, graph: SmallGraph, steps: readonly Step[]): Promise<void> => {
  const batches = steps.flatMap(step => ('write' in step ? step.write : []))
  const everything = everythingIn([...mutationsOf(graph), ...batches])
  let model = await write(store, emptyModel(), mutationsOf(graph))
  for (const [index, step] of steps.entries()) {
    if ('write' in step) model = await write(store, model, step.write)
    const wave = 'read' in step ? step.read : everything
    assertEqual(
      await store.read(wave),
      answerWave(model, wave),
      `what step ${index} answers or leaves behind`,
    )
  }
}

export const describeSequences = ({ fc, runs, test, snapshotTest, withStore }: StoreSuite): void => {
  const { graph, mutation, wave } = arbitraries(fc)
  const step = fc.oneof(fc.record({ write: fc.array(mutation, { maxLength: 4 }) }), fc.record({ read: wave }))

  test('store and model answer the same', async () => {
    await fc.assert(
      fc.asyncProperty(graph, fc.array(step, { maxLength: 20 }), (graph, steps) =>
        withStore(store => play(store, graph, steps)),
      ),
      { numRuns: runs },
    )
  })

  snapshotTest('a snapshot and the model it was taken of answer the same', async () => {
    await fc.assert(
      fc.asyncProperty(graph, fc.array(mutation, { maxLength: 8 }), wave, (graph, later, wave) =>
        withStore(async store => {
          const model = await write(store, emptyModel(), mutationsOf(graph))
          const { view, close } = await store.snapshot()
          for (const mutation of later) await store.write(mutation).catch(() => undefined)
          assertEqual(await view.read(wave), answerWave(model, wave), 'the read of the snapshot')
          await close()
        }),
      ),
      { numRuns: runs },
    )
  })
}
