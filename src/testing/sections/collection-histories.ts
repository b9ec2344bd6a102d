import type { Arbitrary } from 'fast-check'
import type { NodeId } from '../../base/ids.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { deleteEdge, patchNode, putEdge, putNode, withMirror } from '../records.ts'
import type { StoreProbe } from '../store-probe.ts'
import type { FastCheck, StoreSuite } from '../store-suite.ts'
import { assertPositions, collect, collectById, orderEdge, ROOT } from './entry-records.ts'

const IDS = ['1', '2', '9', '10']
const LISTS = ['likes', 'friends']

/** Adds the entries that depend on the records of a mutation, as the engine does. */
const withEntries = (mutation: StoreMutation): readonly StoreMutation[] => {
  switch (mutation.op) {
    case 'putNode':
      return [mutation, collect(mutation.node.id), collectById(mutation.node.id)]
    case 'patchNode':
      return [mutation, collect(mutation.id)]
    case 'putEdge':
    case 'deleteEdge': {
      const { edge, mirror } = mutation
      const sides = mirror === undefined ? [edge] : [edge, mirror]
      return [mutation, ...sides.map(({ source, name, target }) => orderEdge(source, name, target))]
    }
    default:
      return [mutation]
  }
}

const createMutationArbitrary = (fc: FastCheck): Arbitrary<StoreMutation> => {
  const id = fc.constantFrom(...IDS)
  const rank = fc.oneof({ weight: 8, arbitrary: fc.integer({ min: -3, max: 3 }) }, fc.constantFrom('1', 0.5))
  const list = fc.constantFrom(...LISTS)
  const isMirrored = fc.boolean()
  const mirror = (mutation: StoreMutation, name: string, isMirrored: boolean) =>
    isMirrored ? withMirror(mutation, name) : mutation
  return fc.oneof(
    { weight: 6, arbitrary: fc.tuple(id, rank).map(([id, rank]) => putNode(id, { rank })) },
    { weight: 2, arbitrary: fc.tuple(id, fc.option(rank)).map(([id, rank]) => patchNode(id, { rank })) },
    { weight: 1, arbitrary: id.map((id): StoreMutation => ({ op: 'deleteNode', id })) },
    {
      weight: 6,
      arbitrary: fc
        .tuple(id, list, id, rank, isMirrored)
        .map(([source, name, target, rank, isMirrored]) =>
          mirror(putEdge(source, name, target, 5, { rank }), name, isMirrored),
        ),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(id, list, id, isMirrored)
        .map(([source, name, target, isMirrored]) =>
          mirror(deleteEdge(source, name, target), name, isMirrored),
        ),
    },
  )
}

/** Returns the positions that the members of records give to entries, in their order. */
const toPositions = (records: readonly (readonly [id: NodeId, rank: unknown])[]) =>
  records
    .flatMap(([id, rank]) => (Number.isInteger(rank) ? [[Number(rank), id] as const] : []))
    .sort(([a, id], [b, otherId]) => a - b || Number(id) - Number(otherId))

const assertEntries = async (store: StoreProbe): Promise<void> => {
  const { nodes } = await store.read({ nodes: IDS })
  const found = nodes.flatMap(node => node ?? [])
  const ranks = found.map(({ id, fields }) => [id, fields.rank] as const)
  await assertPositions(store, ROOT, 'events', toPositions(ranks), 'and the values of its nodes')
  await assertPositions(
    store,
    ROOT,
    'all',
    toPositions(ranks.map(([id]) => [id, 0])),
    'and the values of its nodes',
  )
  for (const source of IDS)
    for (const name of LISTS) {
      const { entries } = await store.readList(source, name)
      const edgeRanks = entries.map(({ target, data }) => [target, data?.rank] as const)
      await assertPositions(
        store,
        source,
        `${name}#top`,
        toPositions(edgeRanks),
        'and the values of its edges',
      )
    }
}

/** Declares the law of collections and orders. */
export const describeHistories = ({ fc, collectionTest }: StoreSuite): void => {
  const batch = fc.array(createMutationArbitrary(fc), { minLength: 1, maxLength: 3 })

  collectionTest(
    'after any history, a collection has the nodes, and an order has the edges, by their fields',
    (_, { runs, withStore }) =>
      fc.assert(
        fc.asyncProperty(fc.array(batch, { maxLength: 12 }), batches =>
          withStore(async store => {
            for (const mutations of batches)
              await store.write(...mutations.flatMap(withEntries)).catch(() => undefined)
            await assertEntries(store)
          }),
        ),
        { numRuns: Math.ceil(runs / 4) },
      ),
  )
}
