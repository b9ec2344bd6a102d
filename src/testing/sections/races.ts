import { isGraphError } from '../../base/errors.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { assertEqual, fail } from '../assertions.ts'
import { createRange, deleteEdge, putEdge, putNode, putNodes } from '../records.ts'
import type { StoreProbe } from '../store-probe.ts'
import type { StoreSuite } from '../store-suite.ts'

const createIds = (first: number, length: number): string[] =>
  Array.from({ length }, (_, index) => `${first + index}`)

const FEW_IDS = createIds(100, 20)
/** More ids than a store is likely to handle in one step. */
const MANY_IDS = createIds(1000, 150)

const EMPTY_RANGE_RESULT = { entries: [], hasMore: false, lastExamined: undefined, total: 0 }

/** Writes a mutation. Ignores a rejection of a mutation that comes too late, and throws any other error. */
const writeOrIgnoreRejection = async (store: StoreProbe, mutation: StoreMutation): Promise<void> => {
  try {
    await store.write(mutation)
  } catch (error) {
    if (!isGraphError(error) || error.reason !== 'invalid_mutation') throw error
  }
}

/** Lets timers and sockets of the process run. */
const yieldToEventLoop = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 0))

/**
 * Reads repeatedly until the write is done, usually without a delay, so that the reads can see intermediate
 * states.
 */
const readDuring = async (write: Promise<void>, read: () => Promise<void>): Promise<void> => {
  let isDone = false
  const readUntilDone = async (): Promise<void> => {
    for (let readCount = 1; !isDone; readCount++) {
      await read()
      if (readCount % 8 === 0) await yieldToEventLoop()
    }
  }
  const endedWrite = write.finally(() => {
    isDone = true
  })
  await Promise.all([endedWrite, readUntilDone()])
}

/**
 * Asserts that all of the list's edges exist or none. If the atomicity is `batch`, asserts the same of the
 * nodes, and that the count is right.
 */
const assertAllOrNone = async (store: StoreProbe): Promise<void> => {
  const { entries, total } = await store.readList('1', 'likes')
  const isAllOrNone = (count: number): boolean => count === 0 || count === MANY_IDS.length
  if (!isAllOrNone(entries.length))
    fail(`the list has ${entries.length} of the ${MANY_IDS.length} edges of one batch`)
  if (store.capabilities.atomicity === 'source') return
  assertEqual(total, entries.length, 'the count and the number of entries')
  const { nodes } = await store.read({ nodes: MANY_IDS })
  const foundCount = nodes.filter(node => node !== undefined).length
  if (!isAllOrNone(foundCount)) fail(`${foundCount} of the ${MANY_IDS.length} nodes of one batch exist`)
}

export const describeRaces = ({ test }: StoreSuite): void => {
  test('an edge or a patch that is written while its node is deleted leaves no data', async store => {
    await store.write(...putNodes('1', ...FEW_IDS))
    const mutations = FEW_IDS.flatMap((id, index) => {
      const writes: StoreMutation[] = [
        putEdge('1', 'likes', id),
        putEdge(id, 'likes', '1'),
        { op: 'patchNode', id, fields: { late: true } },
      ]
      writes.splice(index % 4, 0, { op: 'deleteNode', id })
      return writes
    })
    await Promise.all(mutations.map(mutation => writeOrIgnoreRejection(store, mutation)))
    await store.write(putNode('1'))
    const request = {
      ranges: ['1', ...FEW_IDS].map(id => createRange(id, 'likes')),
      checks: FEW_IDS.map(target => ({ source: '1', name: 'likes', target })),
    }
    const emptyResult = {
      ranges: request.ranges.map(() => EMPTY_RANGE_RESULT),
      checks: FEW_IDS.map(() => false),
      tokens: [],
    }
    const resultAfterDeletion = { ...emptyResult, nodes: FEW_IDS.map(() => undefined) }
    assertEqual(await store.read({ ...request, nodes: FEW_IDS }), resultAfterDeletion, 'the deleted records')
    await store.write(...putNodes(...FEW_IDS))
    assertEqual(
      await store.read(request),
      { ...emptyResult, nodes: [] },
      'the edges of nodes that were put again',
    )
  })

  test('concurrent deletions of one edge reduce the count by one', async store => {
    await store.write(...putNodes('1', '2', '3'), putEdge('1', 'likes', '2'), putEdge('1', 'likes', '3'))
    await Promise.all(FEW_IDS.map(() => store.write(deleteEdge('1', 'likes', '2'))))
    await store.write(putNode('1'))
    const { entries, total } = await store.readList('1', 'likes')
    assertEqual([entries.map(entry => entry.target), total], [['3'], 1], 'the list and its count')
  })

  test(`a reader sees all or none of the edges of a batch of ${2 * MANY_IDS.length} mutations, and all or none of its nodes if the atomicity is batch`, async store => {
    await store.write(putNode('1'))
    const putMutations = [
      ...putNodes(...MANY_IDS),
      ...MANY_IDS.map((id, time) => putEdge('1', 'likes', id, time)),
    ]
    await readDuring(store.write(...putMutations), () => assertAllOrNone(store))
    assertEqual((await store.readList('1', 'likes')).total, MANY_IDS.length, 'the count after the write')
    const deletions = MANY_IDS.map((id): StoreMutation => ({ op: 'deleteNode', id }))
    await readDuring(store.write(...deletions), () => assertAllOrNone(store))
    assertEqual(
      await store.readList('1', 'likes'),
      EMPTY_RANGE_RESULT,
      'the list after the deletion of its targets',
    )
  })
}
