import type { EdgeCheck, EdgeKey, EdgeRecord, StoreReadRequest } from '../../store/contract.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { EMPTY_REQUEST } from '../../store/requests.ts'
import { assertEqual } from '../assertions.ts'
import { createEmptyModel, type Model, readModel, writeModel } from '../model.ts'
import { createRange, deleteEdge, putEdge, putNode, putNodes } from '../records.ts'
import type { StoreProbe } from '../store-probe.ts'
import type { StoreSuite } from '../store-suite.ts'

/** Slightly more than a thousand, which is a likely limit of a store. */
const DEGREE = 1100
const HUB = '1'
const LARGEST_ID = '9223372036854775807'
const otherIds = Array.from({ length: DEGREE }, (_, index) => `${index + 2}`)
const timeOf = (index: number): number => Math.floor(index / 2) - 3

/** A hub with as many outgoing as incoming edges, written in one batch. */
const MUTATIONS: readonly StoreMutation[] = [
  ...putNodes(HUB, ...otherIds),
  ...otherIds.map((id, index) => putEdge(HUB, 'likes', id, timeOf(index), { n: index })),
  ...otherIds.map((id, index) => putEdge(id, 'likes', HUB, index)),
]

const splitIntoChunks = <T>(values: readonly T[], size: number): (readonly T[])[] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  )

const RANGE_CASES = [
  { limit: 2 * DEGREE },
  { limit: 30 },
  { limit: 30, direction: 'newest' },
  { minTime: 0, limit: 3 },
  { maxTime: 0 },
  { minTime: 100, maxTime: 120, direction: 'newest' },
  { from: { time: 300, target: '500' }, limit: 3 },
  { from: { time: 300, target: LARGEST_ID }, limit: 3 },
  { from: { time: 300, target: LARGEST_ID }, limit: 3, direction: 'newest' },
  { from: { time: 300, target: '500' }, minTime: 295, limit: 20, direction: 'newest' },
] as const
const createEdgeKeys = (name: string): EdgeKey[] => otherIds.map(target => ({ source: HUB, name, target }))

/** Reads checks in requests of 500, the size that every store must support. */
const readChecks = async (
  store: StoreProbe,
  checks: readonly EdgeCheck[],
): Promise<readonly (boolean | EdgeRecord)[]> => {
  const results = splitIntoChunks(checks, 500).map(async checks => (await store.read({ checks })).checks)
  return (await Promise.all(results)).flat()
}

/** Compares the list of the hub with the list in the model, and checks whether each edge exists. */
const assertHub = async (store: StoreProbe, model: Model, label: string): Promise<void> => {
  const request: StoreReadRequest = {
    nodes: [],
    ranges: RANGE_CASES.map(overrides => createRange(HUB, 'likes', overrides)),
    checks: [],
    tokens: [],
  }
  const expected = readModel(model, request)
  assertEqual(await store.read(request), expected, `the list ${label}`)
  const targetsInList = new Set(expected.ranges[0]?.entries.map(entry => entry.target))
  const expectedChecks = otherIds.map(id => targetsInList.has(id))
  assertEqual(await readChecks(store, createEdgeKeys('likes')), expectedChecks, `the checks ${label}`)
  const checksWithData = createEdgeKeys('likes').map(key => ({ ...key, data: true }))
  const { checks: expectedRecords } = readModel(model, { ...EMPTY_REQUEST, checks: checksWithData })
  assertEqual(await readChecks(store, checksWithData), expectedRecords, `the records of edges ${label}`)
  const expectedMissing = otherIds.map(() => false)
  assertEqual(
    await readChecks(store, createEdgeKeys('loves')),
    expectedMissing,
    `the checks with another name ${label}`,
  )
}

const assertNoEdges = async (store: StoreProbe, label: string): Promise<void> => {
  for (const nodeIds of splitIntoChunks([HUB, ...otherIds], 500)) {
    const checks = nodeIds.flatMap(id => [
      { source: id, name: 'likes', target: HUB },
      { source: HUB, name: 'likes', target: id },
    ])
    const { ranges } = await store.read({ ranges: nodeIds.map(id => createRange(id, 'likes', { limit: 2 })) })
    const nodesWithEdges = nodeIds.filter(
      (_, index) => ranges[index]?.total !== 0 || ranges[index]?.entries.length !== 0,
    )
    assertEqual(nodesWithEdges, [], `the nodes with edges or a count ${label}`)
    const danglingCount = (await readChecks(store, checks)).filter(exists => exists).length
    assertEqual(danglingCount, 0, `the number of edges that checks find ${label}`)
  }
}

/** One change of each kind among every hundred edges. */
const CHANGES: readonly StoreMutation[] = otherIds.flatMap((id, index) => {
  if (index % 100 === 0) return [{ op: 'patchNode', id, fields: { now: index } }]
  if (index % 100 === 1) return [putEdge(HUB, 'likes', id, timeOf(index), { other: index })]
  if (index % 100 === 2) return [putEdge(HUB, 'likes', id, -timeOf(index))]
  return index % 100 === 3 ? [deleteEdge(HUB, 'likes', id)] : []
})

export const describeHubs = ({ test, writeTest }: StoreSuite): void => {
  test(`reads of a list of ${DEGREE} edges return the same results as the reference model`, async store => {
    await store.write(...MUTATIONS)
    const model = writeModel(createEmptyModel(), MUTATIONS)
    await assertHub(store, model, 'after the first write')
    await store.write(...CHANGES)
    await assertHub(store, writeModel(model, CHANGES), 'after some of its edges were written again')
  })

  writeTest(
    `deleting a node deletes its ${DEGREE} edges in each direction, and a new node with its id has no edges`,
    async store => {
      await store.write(...MUTATIONS)
      await store.write({ op: 'deleteNode', id: HUB })
      await assertNoEdges(store, 'after the deletion')
      await store.write(putNode(HUB))
      await assertNoEdges(store, 'after the hub was put again')
    },
  )
}
