import { isGraphError } from '../../base/faults.ts'
import type { Mutation } from '../../store/contract.ts'
import { assertEqual, fail } from '../assertions.ts'
import { deleteEdge, putEdge, putNode, putNodes, rangeOf } from '../records.ts'
import type { StoreProbe } from '../store-probe.ts'
import type { StoreSuite } from '../store-suite.ts'

const idsFrom = (first: number, length: number): string[] =>
  Array.from({ length }, (_, index) => `${first + index}`)

const FEW = idsFrom(100, 20)
/** More mutations than a store may send at once. */
const MANY = idsFrom(1000, 150)

const EMPTY = { entries: [], more: false, end: undefined, total: 0 }

/** A write that comes too late is refused; whatever else it fails with is a fault. */
const writeOrRefused = async (store: StoreProbe, mutation: Mutation): Promise<void> => {
  try {
    await store.write(mutation)
  } catch (error) {
    if (!isGraphError(error) || error.data.reason !== 'invalid_mutation') throw error
  }
}

/** Lets timers and sockets come between. */
const turn = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 0))

/** Reads again and again until the write is done, mostly at once, so that states of a moment are seen. */
const readDuring = async (write: Promise<void>, read: () => Promise<void>): Promise<void> => {
  let isDone = false
  const reading = async (): Promise<void> => {
    for (let reads = 1; !isDone; reads++) {
      await read()
      if (reads % 8 === 0) await turn()
    }
  }
  const ended = write.finally(() => {
    isDone = true
  })
  await Promise.all([ended, reading()])
}

/** All of the many or none, as nodes and in the list; its count is of the same moment where atomicity is by batch. */
const assertAllOrNone = async (store: StoreProbe): Promise<void> => {
  const { entries, total } = await store.list('1', 'likes')
  const isWhole = (found: number): boolean => found === 0 || found === MANY.length
  if (!isWhole(entries.length))
    fail(`the list has ${entries.length} of the ${MANY.length} edges of one batch`)
  if (store.capabilities.atomicity === 'source') return
  assertEqual(total, entries.length, 'the count beside the entries')
  const { nodes } = await store.read({ nodes: MANY })
  const found = nodes.filter(node => node !== undefined).length
  if (!isWhole(found)) fail(`${found} of the ${MANY.length} nodes of one batch are there`)
}

export const describeRaces = ({ test }: StoreSuite): void => {
  test('an edge or a patch written while its node is deleted leaves nothing behind', async store => {
    await store.write(...putNodes('1', ...FEW))
    const late = FEW.flatMap((id, index) => {
      const writes: Mutation[] = [
        putEdge('1', 'likes', id),
        putEdge(id, 'likes', '1'),
        { op: 'patchNode', id, fields: { late: true } },
      ]
      writes.splice(index % 4, 0, { op: 'deleteNode', id })
      return writes
    })
    await Promise.all(late.map(mutation => writeOrRefused(store, mutation)))
    await store.write(putNode('1'))
    const wave = {
      ranges: ['1', ...FEW].map(id => rangeOf(id, 'likes')),
      tests: FEW.map(target => ({ source: '1', name: 'likes', target })),
    }
    const nothing = { ranges: wave.ranges.map(() => EMPTY), tests: FEW.map(() => false), tokens: [] }
    const gone = { ...nothing, nodes: FEW.map(() => undefined) }
    assertEqual(await store.read({ ...wave, nodes: FEW }), gone, 'all that was deleted')
    await store.write(...putNodes(...FEW))
    assertEqual(await store.read(wave), { ...nothing, nodes: [] }, 'the edges of nodes put again')
  })

  test('one edge deleted in parallel is discounted once', async store => {
    await store.write(...putNodes('1', '2', '3'), putEdge('1', 'likes', '2'), putEdge('1', 'likes', '3'))
    await Promise.all(FEW.map(() => store.write(deleteEdge('1', 'likes', '2'))))
    await store.write(putNode('1'))
    const { entries, total } = await store.list('1', 'likes')
    assertEqual([entries.map(entry => entry.target), total], [['3'], 1], 'the list and its count')
  })

  test(`a reader sees all of a batch of ${2 * MANY.length} or nothing of it`, async store => {
    await store.write(putNode('1'))
    const put = [...putNodes(...MANY), ...MANY.map((id, time) => putEdge('1', 'likes', id, time))]
    await readDuring(store.write(...put), () => assertAllOrNone(store))
    assertEqual((await store.list('1', 'likes')).total, MANY.length, 'the count after it was written')
    const deleted = MANY.map((id): Mutation => ({ op: 'deleteNode', id }))
    await readDuring(store.write(...deleted), () => assertAllOrNone(store))
    assertEqual(await store.list('1', 'likes'), EMPTY, 'the list after all of it was deleted')
  })
}
