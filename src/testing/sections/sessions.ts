import { assertEqual } from '../assertions.ts'
import { createNode, createRange, createToken, putEdge, putNode, putNodes } from '../records.ts'
import type { ReaderProbe } from '../store-probe.ts'
import type { StoreSuite } from '../store-suite.ts'

const FIRST_RECORDS = [
  putNode('1', { of: 'first' }),
  ...putNodes('2', '3'),
  putEdge('1', 'likes', '2', 1),
  putEdge('1', 'likes', '3', 2),
]
const SECOND_RECORDS = [
  putNode('1', { of: 'second' }, 'other'),
  ...putNodes('3'),
  putEdge('1', 'likes', '3', 5, { of: 'second' }),
]

const REQUEST = {
  nodes: ['1', '2', '3'],
  ranges: [createRange('1', 'likes'), createRange('1', 'likes', { limit: 0 })],
  checks: ['2', '3'].map(target => ({ source: '1', name: 'likes', target, data: true })),
}

/** The results of the request in a store that contains nothing. */
const assertNothing = async (reader: ReaderProbe, label: string): Promise<void> => {
  const { nodes, ranges, checks } = await reader.read(REQUEST)
  assertEqual(nodes, [undefined, undefined, undefined], `the nodes ${label}`)
  assertEqual(
    ranges.map(({ entries, total }) => [entries, total]),
    [
      [[], 0],
      [[], 0],
    ],
    `the lists ${label}`,
  )
  assertEqual(checks, [false, false], `the checks ${label}`)
}

const ROUNDS = 10

export const describeSessions = ({ sessionTest }: StoreSuite): void => {
  sessionTest('a session sees nothing that another session wrote', async (first, second) => {
    await first.write(...FIRST_RECORDS)
    await assertNothing(second, 'in the other session')
    await assertNothing(second.newestReader, 'in the newest state of the other session')
    assertEqual(await first.readNode('1'), createNode('1', { of: 'first' }), 'the node in its session')
  })

  sessionTest('records with the same ids in two sessions are different records', async (first, second) => {
    await first.write(...FIRST_RECORDS)
    const before = await first.read(REQUEST)
    await second.write(...SECOND_RECORDS)
    assertEqual(await first.read(REQUEST), before, 'the records of the first session')
    assertEqual(
      await second.readNode('1'),
      createNode('1', { of: 'second' }, 'other'),
      'the node of the second session',
    )
    assertEqual((await second.readList('1', 'likes')).total, 1, 'the count of the second session')
  })

  sessionTest('concurrent reads of two sessions return the data of their sessions', async (first, second) => {
    await first.write(...FIRST_RECORDS)
    await second.write(...SECOND_RECORDS)
    const expected = [await first.read(REQUEST), await second.read(REQUEST)]
    const reads = Array.from({ length: ROUNDS }, () => [first.read(REQUEST), second.read(REQUEST)])
    for (const [round, results] of (await Promise.all(reads.map(pair => Promise.all(pair)))).entries())
      assertEqual(results, expected, `the results of round ${round}`)
  })

  sessionTest('a write changes and deletes nothing of another session', async (first, second) => {
    await first.write(...FIRST_RECORDS)
    await second.write(...SECOND_RECORDS)
    const before = await first.read(REQUEST)
    await second.write({ op: 'patchNode', id: '1', fields: { of: 'changed' } })
    await second.write({ op: 'deleteEdge', edge: { source: '1', name: 'likes', target: '3' } })
    await second.write({ op: 'deleteNode', id: '1' }, { op: 'deleteNode', id: '3' })
    assertEqual(await first.read(REQUEST), before, 'the records of the first session')
  })

  sessionTest('concurrent writes of two sessions are in their sessions', async (first, second) => {
    const rounds = Array.from({ length: ROUNDS }, (_, index) => `${index + 10}`)
    await Promise.all(
      rounds.flatMap(id => [
        first.write(putNode(id, { of: 'first' })),
        second.write(putNode(id, { of: 'second' })),
      ]),
    )
    for (const [name, store] of [
      ['first', first],
      ['second', second],
    ] as const) {
      const { nodes } = await store.newestReader.read({ nodes: rounds })
      assertEqual(
        nodes,
        rounds.map(id => createNode(id, { of: name })),
        `the nodes of the ${name} session`,
      )
    }
  })

  sessionTest('tokens are written and read without a session, also together', async (first, second) => {
    const store = first.withSession(undefined)
    await second.write(...SECOND_RECORDS)
    await store.write({ op: 'putToken', digest: 'abc', token: createToken('demo') })
    const { tokens } = await store.read({ tokens: ['abc', 'none'] })
    assertEqual(tokens, [createToken('demo'), undefined], 'the tokens')
    await store.write({ op: 'deleteToken', digest: 'abc' })
    assertEqual(await store.readToken('abc'), undefined, 'the deleted token')
  })

  sessionTest('a snapshot shows the data of its session', async (first, second) => {
    if (!first.capabilities.snapshots) return
    await first.write(...FIRST_RECORDS)
    const snapshots = await Promise.all([first.snapshot(), second.snapshot()])
    await second.write(...SECOND_RECORDS)
    const expected = await first.read(REQUEST)
    const results = await Promise.all(snapshots.map(({ reader }) => reader.read(REQUEST)))
    assertEqual(results[0], expected, 'the snapshot of the first session')
    await assertNothing(snapshots[1].reader, 'in the snapshot of the second session')
    for (const { close } of snapshots) await close()
  })
}
