import { EMPTY_REQUEST } from '../../store/requests.ts'
import { withWantedFields } from '../../store/wanted-fields.ts'
import { assertEqual } from '../assertions.ts'
import { createNode, createRange, createToken, putEdge, putNode, putNodes, targetsOf } from '../records.ts'
import type { StoreSuite } from '../store-suite.ts'

const ITEM_COUNT = 500
const indices = Array.from({ length: ITEM_COUNT }, (_, index) => index)
/** Every fifth id does not exist, and each id is requested twice. */
const requestedNumbers = indices.map(index => 1 + (index % (ITEM_COUNT / 2)))
const isAbsent = (n: number): boolean => n % 5 === 0
const existingNumbers = indices.map(index => index + 1).filter(n => !isAbsent(n))
const HUB = '9999'

export const describeReads = ({ test }: StoreSuite): void => {
  test('an empty request returns an empty result', async store => {
    assertEqual(await store.read({}), { nodes: [], ranges: [], checks: [], tokens: [] }, 'the result')
  })

  test('each duplicate in a request has its own result', async store => {
    await store.write(...putNodes('1', '2'), putEdge('1', 'likes', '2'), {
      op: 'putToken',
      digest: 'abc',
      token: createToken('demo'),
    })
    const edge = { source: '1', name: 'likes', target: '2' }
    const result = await store.read({
      nodes: ['1', '9', '1', '9'],
      ranges: [createRange('1', 'likes'), createRange('1', 'likes', { limit: 0 }), createRange('1', 'likes')],
      checks: [edge, edge],
      tokens: ['abc', 'abc'],
    })
    assertEqual(result.nodes, [createNode('1'), undefined, createNode('1'), undefined], 'the nodes')
    assertEqual(result.ranges.map(targetsOf), [['2'], [], ['2']], 'the lists')
    assertEqual(result.checks, [true, true], 'the checks')
    assertEqual(result.tokens, [createToken('demo'), createToken('demo')], 'the tokens')
  })

  test(`a read of ${ITEM_COUNT} nodes, ranges, checks and tokens returns each result by position`, async store => {
    await store.write(
      putNode(HUB),
      ...existingNumbers.map(n => putNode(`${n}`, { n })),
      ...existingNumbers.map(n => putEdge(`${n}`, 'hub', HUB, n)),
      ...existingNumbers.map(n => ({
        op: 'putToken' as const,
        digest: `digest ${n}`,
        token: createToken(`app ${n}`),
      })),
    )
    const result = await store.read({
      nodes: requestedNumbers.map(String),
      ranges: requestedNumbers.map((n, index) => createRange(`${n}`, 'hub', { limit: index % 3 })),
      checks: requestedNumbers.map((n, index) => ({
        source: `${n}`,
        name: 'hub',
        target: index % 2 === 0 ? HUB : `${n}`,
      })),
      tokens: requestedNumbers.map(n => `digest ${n}`),
    })
    const unlessAbsent = <T>(n: number, value: T): T | undefined => (isAbsent(n) ? undefined : value)
    assertEqual(
      result.nodes,
      requestedNumbers.map(n => unlessAbsent(n, createNode(`${n}`, { n }))),
      'the nodes',
    )
    assertEqual(
      result.ranges.map(targetsOf),
      requestedNumbers.map((n, index) => (isAbsent(n) || index % 3 === 0 ? [] : [HUB])),
      'the lists',
    )
    assertEqual(
      result.ranges.map(rangeResult => rangeResult.total),
      requestedNumbers.map(n => (isAbsent(n) ? 0 : 1)),
      'the counts',
    )
    assertEqual(
      result.checks,
      requestedNumbers.map((n, index) => !isAbsent(n) && index % 2 === 0),
      'the checks',
    )
    assertEqual(
      result.tokens,
      requestedNumbers.map(n => unlessAbsent(n, createToken(`app ${n}`))),
      'the tokens',
    )
  })

  test('a read that needs some fields returns at least those, of nodes and of entries', async store => {
    const fields = { name: 'Ada', age: 36, note: 'first' }
    await store.write(putNode('1', fields), putNode('2', fields), putEdge('1', 'likes', '2'))
    const read = { nodes: ['1', '9'], ranges: [createRange('1', 'likes')] }
    for (const names of [['name'], ['age', 'note'], ['name', 'missing'], []]) {
      const request = { ...EMPTY_REQUEST, ...read, fields: new Map([['thing', new Set(names)]]) }
      const { nodes, ranges } = withWantedFields(await store.read(request), request)
      const wanted = Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))
      assertEqual(nodes, [createNode('1', wanted), undefined], `the nodes with ${names}`)
      const entryNodes = ranges.flatMap(({ entries }) => entries.map(({ node }) => node))
      assertEqual(entryNodes, [createNode('2', wanted)], `the nodes of the entries with ${names}`)
    }
    const all = await store.read({ ...read, fields: new Map([['thing', undefined]]) })
    assertEqual(all.nodes, [createNode('1', fields), undefined], 'the nodes with all fields')
  })

  test('the limit of one range does not affect another', async store => {
    await store.write(...putNodes('1', '2', '3', '4'))
    await store.write(
      ...['2', '3', '4'].flatMap((target, time) => [
        putEdge('1', 'likes', target, time),
        putEdge('2', 'likes', target, time),
      ]),
    )
    const { ranges } = await store.read({
      ranges: [
        createRange('1', 'likes', { limit: 1 }),
        createRange('2', 'likes', { limit: 2, direction: 'newest' }),
        createRange('1', 'likes', { limit: 3, minTime: 1 }),
      ],
    })
    assertEqual(ranges.map(targetsOf), [['2'], ['4', '3'], ['3', '4']], 'the lists')
  })
}
