import type { StoreMutation, StoreReadRequest } from '../../store/contract.ts'
import { arbitraries, type SmallGraph } from '../arbitraries.ts'
import { assertEqual, assertRejects } from '../assertions.ts'
import { createEmptyModel, type Model, readModel, writeModel } from '../model.ts'
import { createRange } from '../records.ts'
import type { StoreProbe } from '../store-probe.ts'
import type { StoreSuite } from '../store-suite.ts'

/**
 * A batch to write, or a request to read. A step is plain data, so that you can read a counterexample and
 * paste it into a test.
 */
type SequenceStep = { readonly write: readonly StoreMutation[] } | { readonly read: StoreReadRequest }

const toMutations = ({ nodes, edges }: SmallGraph): StoreMutation[] => [
  ...nodes.map(node => ({ op: 'putNode' as const, node })),
  ...edges.map(edge => ({ op: 'putEdge' as const, edge })),
]

const tryWriteModel = (model: Model, batch: readonly StoreMutation[]): Model | undefined => {
  try {
    return writeModel(model, batch)
  } catch {
    return undefined
  }
}

const kindOrderOf = ({ op }: StoreMutation): number => (op.endsWith('Node') ? 0 : op.endsWith('Edge') ? 1 : 2)

/** Sorts a batch for a store with atomicity `source`, which writes nodes before edges. */
const sortByKind = (store: StoreProbe, batch: readonly StoreMutation[]): readonly StoreMutation[] =>
  store.capabilities.atomicity === 'batch' ? batch : batch.toSorted((a, b) => kindOrderOf(a) - kindOrderOf(b))

/**
 * Writes a batch to the model and to the store if the model accepts it. Otherwise, a store with atomicity
 * `batch` must reject it.
 */
const writeToStoreAndModel = async (
  store: StoreProbe,
  model: Model,
  batch: readonly StoreMutation[],
): Promise<Model> => {
  const orderedBatch = sortByKind(store, batch)
  const nextModel = tryWriteModel(model, orderedBatch)
  if (nextModel !== undefined) await store.write(...orderedBatch)
  else if (store.capabilities.atomicity === 'batch')
    await assertRejects(() => store.write(...orderedBatch), `the batch ${JSON.stringify(batch)}`)
  return nextModel ?? model
}

/** Creates a request for all records in the mutations, because a wrong write may have changed any of them. */
const createFullRequest = (mutations: readonly StoreMutation[]): StoreReadRequest => {
  const edges = mutations.flatMap(mutation =>
    mutation.op === 'putEdge' || mutation.op === 'deleteEdge'
      ? [mutation.edge, ...(mutation.mirror === undefined ? [] : [mutation.mirror])]
      : [],
  )
  return {
    nodes: mutations.flatMap(mutation =>
      mutation.op === 'putNode' ? [mutation.node.id] : 'id' in mutation ? [mutation.id] : [],
    ),
    ranges: edges.map(({ source, name }) => createRange(source, name)),
    checks: edges,
    tokens: mutations.flatMap(mutation => ('digest' in mutation ? [mutation.digest] : [])),
  }
}

const runSequence = async (
  store: StoreProbe,
  graph: SmallGraph,
  steps: readonly SequenceStep[],
): Promise<void> => {
  const writtenMutations = steps.flatMap(step => ('write' in step ? step.write : []))
  const fullRequest = createFullRequest([...toMutations(graph), ...writtenMutations])
  let model = await writeToStoreAndModel(store, createEmptyModel(), toMutations(graph))
  for (const [index, step] of steps.entries()) {
    if ('write' in step) model = await writeToStoreAndModel(store, model, step.write)
    const request = 'read' in step ? step.read : fullRequest
    assertEqual(
      await store.read(request),
      readModel(model, request),
      `the result of step ${index}, or the state after this step`,
    )
  }
}

export const describeSequences = ({ fc, runs, test, snapshotTest, withStore }: StoreSuite): void => {
  const { graph, mutation, request } = arbitraries(fc)
  const step = fc.oneof(
    fc.record({ write: fc.array(mutation, { maxLength: 4 }) }),
    fc.record({ read: request }),
  )

  test('the store returns the same results as the reference model after any sequence of writes', async () => {
    await fc.assert(
      fc.asyncProperty(graph, fc.array(step, { maxLength: 20 }), (graph, steps) =>
        withStore(store => runSequence(store, graph, steps)),
      ),
      { numRuns: runs },
    )
  })

  snapshotTest('a snapshot returns the same results as a copy of the reference model', async () => {
    await fc.assert(
      fc.asyncProperty(
        graph,
        fc.array(mutation, { maxLength: 8 }),
        request,
        (graph, laterMutations, request) =>
          withStore(async store => {
            const model = await writeToStoreAndModel(store, createEmptyModel(), toMutations(graph))
            const { reader, close } = await store.snapshot()
            for (const mutation of laterMutations) await store.write(mutation).catch(() => undefined)
            assertEqual(await reader.read(request), readModel(model, request), 'a read of the snapshot')
            await close()
          }),
      ),
      { numRuns: runs },
    )
  })
}
