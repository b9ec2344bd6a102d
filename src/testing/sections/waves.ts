import { assertEqual } from '../assertions.ts'
import { nodeOf, putEdge, putNode, putNodes, rangeOf, targetsOf, tokenOf } from '../records.ts'
import type { StoreSuite } from '../store-suite.ts'

const SIZE = 500
const indices = Array.from({ length: SIZE }, (_, index) => index)
/** Every fifth of the ids is absent, and each is asked twice. */
const asked = indices.map(index => 1 + (index % (SIZE / 2)))
const isAbsent = (n: number): boolean => n % 5 === 0
const present = indices.map(index => index + 1).filter(n => !isAbsent(n))
const HUB = '9999'

export const describeWaves = ({ test }: StoreSuite): void => {
  test('a wave of nothing answers nothing', async store => {
    assertEqual(await store.read({}), { nodes: [], ranges: [], tests: [], tokens: [] }, 'the answer')
  })

  test('duplicates are answered in each place', async store => {
    await store.write(...putNodes('1', '2'), putEdge('1', 'likes', '2'), {
      op: 'putToken',
      digest: 'abc',
      token: tokenOf('demo'),
    })
    const edge = { source: '1', name: 'likes', target: '2' }
    const answer = await store.read({
      nodes: ['1', '9', '1', '9'],
      ranges: [rangeOf('1', 'likes'), rangeOf('1', 'likes', { limit: 0 }), rangeOf('1', 'likes')],
      tests: [edge, edge],
      tokens: ['abc', 'abc'],
    })
    assertEqual(answer.nodes, [nodeOf('1'), undefined, nodeOf('1'), undefined], 'the nodes')
    assertEqual(answer.ranges.map(targetsOf), [['2'], [], ['2']], 'the lists')
    assertEqual(answer.tests, [true, true], 'the tests')
    assertEqual(answer.tokens, [tokenOf('demo'), tokenOf('demo')], 'the tokens')
  })

  test(`a wave of ${SIZE} of each part, absent ones and duplicates among them`, async store => {
    await store.write(
      putNode(HUB),
      ...present.map(n => putNode(`${n}`, { n })),
      ...present.map(n => putEdge(`${n}`, 'hub', HUB, n)),
      ...present.map(n => ({ op: 'putToken' as const, digest: `digest ${n}`, token: tokenOf(`app ${n}`) })),
    )
    const answer = await store.read({
      nodes: asked.map(String),
      ranges: asked.map((n, index) => rangeOf(`${n}`, 'hub', { limit: index % 3 })),
      tests: asked.map((n, index) => ({
        source: `${n}`,
        name: 'hub',
        target: index % 2 === 0 ? HUB : `${n}`,
      })),
      tokens: asked.map(n => `digest ${n}`),
    })
    const unlessAbsent = <T>(n: number, value: T): T | undefined => (isAbsent(n) ? undefined : value)
    assertEqual(
      answer.nodes,
      asked.map(n => unlessAbsent(n, nodeOf(`${n}`, { n }))),
      'the nodes',
    )
    assertEqual(
      answer.ranges.map(targetsOf),
      asked.map((n, index) => (isAbsent(n) || index % 3 === 0 ? [] : [HUB])),
      'the lists',
    )
    assertEqual(
      answer.ranges.map(slice => slice.total),
      asked.map(n => (isAbsent(n) ? 0 : 1)),
      'the counts',
    )
    assertEqual(
      answer.tests,
      asked.map((n, index) => !isAbsent(n) && index % 2 === 0),
      'the tests',
    )
    assertEqual(
      answer.tokens,
      asked.map(n => unlessAbsent(n, tokenOf(`app ${n}`))),
      'the tokens',
    )
  })

  test('the limit of one range does not touch another', async store => {
    await store.write(...putNodes('1', '2', '3', '4'))
    await store.write(
      ...['2', '3', '4'].flatMap((target, time) => [
        putEdge('1', 'likes', target, time),
        putEdge('2', 'likes', target, time),
      ]),
    )
    const { ranges } = await store.read({
      ranges: [
        rangeOf('1', 'likes', { limit: 1 }),
        rangeOf('2', 'likes', { limit: 2, direction: 'newest' }),
        rangeOf('1', 'likes', { limit: 3, minTime: 1 }),
      ],
    })
    assertEqual(ranges.map(targetsOf), [['2'], ['4', '3'], ['3', '4']], 'the lists')
  })
}
