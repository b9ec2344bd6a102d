import { assertEqual } from '../assertions.ts'
import { TRICKY_IDS } from '../id-arbitraries.ts'
import { createEmptyModel, readModelRange, writeModel } from '../model.ts'
import { createNode, createRange, putEdge, putNode, putNodes } from '../records.ts'
import type { StoreSuite } from '../store-suite.ts'

const SOURCE = 'album-1'
const IDS = [
  ...TRICKY_IDS.named,
  'user-1',
  'user-01',
  'user-1.20',
  'user-1~10',
  'user-_',
  `${'z'.repeat(63)}-${'z'.repeat(190)}`,
  'a--',
]
/** Ids without a node. Some are equal to an existing one without case or as numbers, and some are parts of one. */
const MISSING_IDS = [
  'user-009',
  'user-x',
  'user-1~02',
  'user-B',
  'user-b',
  'use-9',
  'user-9~.',
  'z-1',
  'user2-.01',
]
const POSITIONS = [...IDS, ...MISSING_IDS].map(target => ({ time: 20, target }))
/** The edges are written in another order than that of their targets. */
const MUTATIONS = [
  ...putNodes(SOURCE, ...IDS),
  ...IDS.map((target, index) => putEdge(SOURCE, 'likes', target, index % 4 === 3 ? 30 : 20)),
]

/** Declares the tests of stores with named ids, which are ordered by their bytes. */
export const describeNamedIds = ({ namedTest }: StoreSuite): void => {
  namedTest('edges with equal times are ordered by the bytes of their targets', async store => {
    await store.write(...MUTATIONS)
    const model = writeModel(createEmptyModel(), MUTATIONS)
    const ranges = (['oldest', 'newest'] as const).flatMap(direction =>
      [undefined, ...POSITIONS].flatMap(from =>
        [undefined, 20].flatMap(time =>
          [2, 100].map(limit =>
            createRange(SOURCE, 'likes', { direction, from, limit, minTime: time, maxTime: time }),
          ),
        ),
      ),
    )
    const result = await store.read({ ranges })
    ranges.forEach((range, index) => {
      assertEqual(result.ranges[index], readModelRange(model, range), `the range ${JSON.stringify(range)}`)
    })
  })

  namedTest('each text is an id of its own: case, zeros and every character matter', async store => {
    await store.write(...IDS.map(id => putNode(id, { own: id })), putNode(SOURCE))
    await store.write(...IDS.map(target => putEdge(target, 'in', SOURCE)))
    const { nodes, checks } = await store.read({
      nodes: [...IDS, ...MISSING_IDS],
      checks: [...IDS, ...MISSING_IDS].map(source => ({ source, name: 'in', target: SOURCE })),
    })
    assertEqual(
      nodes,
      [...IDS.map(id => createNode(id, { own: id })), ...MISSING_IDS.map(() => undefined)],
      'the nodes',
    )
    assertEqual(checks, [...IDS.map(() => true), ...MISSING_IDS.map(() => false)], 'the checks')
  })
}
