import type { Arbitrary } from 'fast-check'
import type { IdKind } from '../../base/ids.ts'
import type { StoreReadRequest } from '../../store/contract.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { withWantedFields } from '../../store/wanted-fields.ts'
import { arbitraries, type SmallGraph } from '../arbitraries.ts'
import { assertEqual } from '../assertions.ts'
import { CONDITIONAL_IDS } from '../id-arbitraries.ts'
import { readModel } from '../model.ts'
import { createRange, putNode } from '../records.ts'
import type { StoreProbe } from '../store-probe.ts'
import type { FastCheck, StoreSuite } from '../store-suite.ts'
import { ModelledStore } from './modelled-store.ts'

/**
 * A batch to write, perhaps with an id; the number of an earlier batch with an id, to send it again; or a
 * request to read. A step is plain data, so that you can read a counterexample and paste it into a test.
 */
type SequenceStep =
  | { readonly write: readonly StoreMutation[]; readonly id?: string | undefined }
  | { readonly sendAgain: number }
  | { readonly read: StoreReadRequest }

const toMutations = ({ nodes, edges }: SmallGraph): StoreMutation[] => [
  ...nodes.map(node => ({ op: 'putNode' as const, node })),
  ...edges.map(edge => ({ op: 'putEdge' as const, edge })),
]

const withoutDuplicates = <T>(items: readonly T[]): T[] => [
  ...new Map(items.map(item => [JSON.stringify(item), item])).values(),
]

/** Creates a request for all records in the mutations, because a wrong write may have changed any of them. */
const createFullRequest = (mutations: readonly StoreMutation[]): StoreReadRequest => {
  const edges = mutations.flatMap(mutation =>
    mutation.op === 'putEdge' || mutation.op === 'deleteEdge'
      ? [mutation.edge, ...(mutation.mirror === undefined ? [] : [mutation.mirror])]
      : [],
  )
  const nodes = mutations.flatMap(mutation =>
    mutation.op === 'putNode' ? [mutation.node.id] : 'id' in mutation ? [mutation.id] : [],
  )
  return {
    nodes: withoutDuplicates(nodes),
    ranges: withoutDuplicates(edges.map(({ source, name }) => createRange(source, name))),
    checks: withoutDuplicates(edges.map(({ source, name, target }) => ({ source, name, target }))).flatMap(
      key => [key, { ...key, data: true }],
    ),
    tokens: withoutDuplicates(mutations.flatMap(mutation => ('digest' in mutation ? [mutation.digest] : []))),
  }
}

const runSequence = async (
  store: StoreProbe,
  graph: SmallGraph,
  steps: readonly SequenceStep[],
): Promise<void> => {
  const mutations = [...toMutations(graph), ...steps.flatMap(step => ('write' in step ? step.write : []))]
  const modelledStore = new ModelledStore(store)
  await modelledStore.write(toMutations(graph))
  for (const [index, step] of steps.entries()) {
    if ('write' in step) mutations.push(...(await modelledStore.write(step.write, step.id)))
    if ('sendAgain' in step) await modelledStore.sendAgain(step.sendAgain)
    const request = 'read' in step ? step.read : createFullRequest(mutations)
    assertEqual(
      // A store may return more fields than the request needs.
      withWantedFields(await store.read(request), request),
      withWantedFields(readModel(modelledStore.model, request), request),
      `the result of step ${index}, or the state after this step`,
    )
  }
}

/** Puts the nodes of conditional mutations, so that conditions often hold. */
const createRenewal = (ids: IdKind): SequenceStep => ({
  write: CONDITIONAL_IDS[ids].flatMap((id): StoreMutation[] => [{ op: 'deleteNode', id }, putNode(id)]),
})

/** Creates the arbitrary of plain steps, which are followed by steps with conditions and increments. */
const createStepsArbitrary = (fc: FastCheck, ids: IdKind): Arbitrary<readonly SequenceStep[]> => {
  const { mutation, conditionalMutation, request } = arbitraries(fc, ids)
  const id = fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { nil: undefined, freq: 2 })
  const sendAgain = { weight: 1, arbitrary: fc.record({ sendAgain: fc.nat(3) }) }
  const plainStep = fc.oneof(
    { weight: 4, arbitrary: fc.record({ write: fc.array(mutation, { maxLength: 4 }) }) },
    { weight: 1, arbitrary: fc.record({ write: fc.array(mutation, { maxLength: 4 }), id }) },
    { weight: 4, arbitrary: fc.record({ read: request }) },
    sendAgain,
  )
  const conditionalBatch = fc.oneof(
    fc.tuple(conditionalMutation),
    fc.array(conditionalMutation, { maxLength: 3 }),
  )
  const conditionalStep = fc.oneof(
    { weight: 4, arbitrary: fc.record({ write: conditionalBatch, id }) },
    sendAgain,
  )
  return fc
    .tuple(fc.array(plainStep, { maxLength: 20 }), fc.array(conditionalStep, { maxLength: 20 }))
    .map(([plainSteps, conditionalSteps]) =>
      conditionalSteps.length === 0 ? plainSteps : [...plainSteps, createRenewal(ids), ...conditionalSteps],
    )
}

export const describeSequences = ({ fc, test, snapshotTest }: StoreSuite): void => {
  test('the store returns the same results as the reference model after any sequence of writes', async (_, {
    ids,
    runs,
    withStore,
  }) => {
    const { graph } = arbitraries(fc, ids)
    await fc.assert(
      fc.asyncProperty(graph, createStepsArbitrary(fc, ids), (graph, steps) =>
        withStore(store => runSequence(store, graph, steps)),
      ),
      { numRuns: runs },
    )
  })

  snapshotTest(
    'a snapshot returns the same results as a copy of the reference model',
    async (_, { ids, runs, withStore }) => {
      const { graph, mutation, request } = arbitraries(fc, ids)
      await fc.assert(
        fc.asyncProperty(
          graph,
          fc.array(mutation, { maxLength: 8 }),
          request,
          (graph, laterMutations, request) =>
            withStore(async store => {
              const modelledStore = new ModelledStore(store)
              await modelledStore.write(toMutations(graph))
              const { reader, close } = await store.snapshot()
              for (const mutation of laterMutations) await store.write(mutation).catch(() => undefined)
              assertEqual(
                withWantedFields(await reader.read(request), request),
                withWantedFields(readModel(modelledStore.model, request), request),
                'a read of the snapshot',
              )
              await close()
            }),
        ),
        { numRuns: runs },
      )
    },
  )
}
