import type { EdgeTest, Mutation, Wave } from '../../store/contract.ts'
import { assertEqual } from '../assertions.ts'
import { answerWave, emptyModel, type Model, writeModel } from '../model.ts'
import { deleteEdge, putEdge, putNode, putNodes, rangeOf } from '../records.ts'
import type { StoreProbe } from '../store-probe.ts'
import type { StoreSuite } from '../store-suite.ts'

/** Just more than a thousand, which stores may take for enough at once. */
const DEGREE = 1100
const HUB = '1'
const LARGEST_ID = '9223372036854775807'
const others = Array.from({ length: DEGREE }, (_, index) => `${index + 2}`)
const timeOf = (index: number): number => Math.floor(index / 2) - 3

/** A hub with as many edges from it as to it, written in one batch. */
const MUTATIONS: readonly Mutation[] = [
  ...putNodes(HUB, ...others),
  ...others.map((id, index) => putEdge(HUB, 'likes', id, timeOf(index), { n: index })),
  ...others.map((id, index) => putEdge(id, 'likes', HUB, index)),
]

const chunksOf = <T>(values: readonly T[], size: number): (readonly T[])[] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  )

const LIST = [
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
const testsOf = (name: string): EdgeTest[] => others.map(target => ({ source: HUB, name, target }))

/** Tests in waves of 500, where a wave may ask no more. */
const askTests = async (store: StoreProbe, tests: readonly EdgeTest[]): Promise<boolean[]> => {
  const answers = chunksOf(tests, 500).map(async tests => (await store.read({ tests })).tests)
  return (await Promise.all(answers)).flat()
}

/** Compares the list of the hub with what a scan of the model finds, and asks of each edge whether it is there. */
const assertHub = async (store: StoreProbe, model: Model, about: string): Promise<void> => {
  const wave: Wave = {
    nodes: [],
    ranges: LIST.map(asked => rangeOf(HUB, 'likes', asked)),
    tests: [],
    tokens: [],
  }
  const answer = answerWave(model, wave)
  assertEqual(await store.read(wave), answer, `the list ${about}`)
  const there = new Set(answer.ranges[0]?.entries.map(entry => entry.target))
  const members = others.map(id => there.has(id))
  assertEqual(await askTests(store, testsOf('likes')), members, `the tests ${about}`)
  const never = others.map(() => false)
  assertEqual(await askTests(store, testsOf('loves')), never, `the tests of another name ${about}`)
}

const assertNoEdges = async (store: StoreProbe, about: string): Promise<void> => {
  for (const sources of chunksOf([HUB, ...others], 500)) {
    const tests = sources.flatMap(id => [
      { source: id, name: 'likes', target: HUB },
      { source: HUB, name: 'likes', target: id },
    ])
    const { ranges } = await store.read({ ranges: sources.map(id => rangeOf(id, 'likes', { limit: 2 })) })
    const left = sources.filter(
      (_, index) => ranges[index]?.total !== 0 || ranges[index]?.entries.length !== 0,
    )
    assertEqual(left, [], `the nodes that have or count edges ${about}`)
    const dangling = (await askTests(store, tests)).filter(isThere => isThere).length
    assertEqual(dangling, 0, `the edges that tests find ${about}`)
  }
}

/** Every hundredth of the edges: one of each of these kinds. */
const CHANGES: readonly Mutation[] = others.flatMap((id, index) => {
  if (index % 100 === 0) return [{ op: 'patchNode', id, fields: { now: index } }]
  if (index % 100 === 1) return [putEdge(HUB, 'likes', id, timeOf(index), { other: index })]
  if (index % 100 === 2) return [putEdge(HUB, 'likes', id, -timeOf(index))]
  return index % 100 === 3 ? [deleteEdge(HUB, 'likes', id)] : []
})

export const describeHubs = ({ test }: StoreSuite): void => {
  test(`a list of ${DEGREE} edges is answered as a short one: windows, positions, data, nodes, tests`, async store => {
    await store.write(...MUTATIONS)
    const model = writeModel(emptyModel(), MUTATIONS)
    await assertHub(store, model, 'as it was written')
    await store.write(...CHANGES)
    await assertHub(store, writeModel(model, CHANGES), 'after some of it was written again')
  })

  test(`a node deleted takes ${DEGREE} edges along in each direction, and put again it has none`, async store => {
    await store.write(...MUTATIONS)
    await store.write({ op: 'deleteNode', id: HUB })
    await assertNoEdges(store, 'after the deletion')
    await store.write(putNode(HUB))
    await assertNoEdges(store, 'after the hub was put again')
  })
}
