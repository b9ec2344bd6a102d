import { isGraphError } from '../../base/errors.ts'
import type { EdgeCheck, StoreReadRequest, StoreReadResult } from '../../store/contract.ts'
import { EMPTY_REQUEST } from '../../store/requests.ts'
import { withWantedFields } from '../../store/wanted-fields.ts'
import { assertEqual, assertRejects, fail } from '../assertions.ts'
import { assertDirectionsAgree, assertPagesJoin } from '../laws.ts'
import { createRange, putNode } from '../records.ts'
import { mutateDeep } from '../sections/immutability.ts'
import type { ReaderProbe } from '../store-probe.ts'
import type { StoreSuite } from '../store-suite.ts'
import type { KnownList } from './known-list.ts'
import { createRanges } from './known-ranges.ts'
import { EXTREME_IDS, type KnownRecords, pickEvenly, shuffle } from './known-records.ts'
import { createKnownRequestArbitrary, createWantedFields } from './known-requests.ts'

/** The numbers of items in the requests of a test, used in turn. */
const READ_SIZES = [1, 2, 30, 101, 300, 500]
/** The number of lists that a test reads in many ways. */
const LIST_COUNT = 20
/** The number of items in each part of the largest request that a store must support. */
const LARGE_READ_SIZE = 500

/** Compares each part of a result with the result of the model. The error shows the item of the request. */
const assertResult = (
  received: StoreReadResult,
  expected: StoreReadResult,
  request: StoreReadRequest,
): void => {
  for (const part of ['nodes', 'ranges', 'checks', 'tokens'] as const) {
    assertEqual(received[part].length, request[part].length, `the number of ${part} in a result`)
    expected[part].forEach((result, index) => {
      const item = JSON.stringify(request[part][index])
      assertEqual(received[part][index], result, `item ${index} of ${request[part].length} ${part}, ${item}`)
    })
  }
}

const assertRead = async (
  reader: ReaderProbe,
  known: KnownRecords,
  partialRequest: Partial<StoreReadRequest>,
): Promise<void> => {
  const request = { ...EMPTY_REQUEST, ...partialRequest }
  // A store may return more fields than the request needs.
  const received = withWantedFields(await reader.read(request), request)
  assertResult(received, withWantedFields(known.read(request), request), request)
}

/** Reads all items in requests of many sizes. */
const assertItems = async <T>(
  reader: ReaderProbe,
  known: KnownRecords,
  items: readonly T[],
  toRequest: (items: readonly T[]) => Partial<StoreReadRequest>,
): Promise<void> => {
  const shuffled = shuffle(items)
  for (let start = 0, readNumber = 0; start < shuffled.length; readNumber++) {
    const size = READ_SIZES[readNumber % READ_SIZES.length] ?? 1
    await assertRead(reader, known, toRequest(shuffled.slice(start, start + size)))
    start += size
  }
}

/** Returns checks of all edges, with and without data, and of as many edges that differ in one member. */
const createChecks = ({ model, missingIds, unknownNames }: KnownRecords): EdgeCheck[] =>
  model.edges.flatMap(({ source, name, target }, index) => [
    { source, name, target },
    { source, name, target, data: true },
    {
      ...([
        { source: target, name, target: source },
        { source, name: unknownNames[index % unknownNames.length] ?? '', target },
        { source, name, target: missingIds[index % missingIds.length] ?? source },
        { source: missingIds[index % missingIds.length] ?? target, name, target },
      ][index % 4] ?? { source, name, target }),
      data: index % 8 < 4,
    },
  ])

/** Returns as many items as the largest request has. Repeats the items if there are fewer. */
const fill = <T>(items: readonly T[]): T[] =>
  Array.from({ length: LARGE_READ_SIZE }).flatMap((_, index) => {
    const start = index % items.length
    return items.slice(start, start + 1)
  })

const createLargeRequest = (known: KnownRecords): StoreReadRequest => ({
  nodes: fill([...pickEvenly(known.ids, 240), ...known.missingIds]),
  ranges: fill(pickEvenly(known.lists, 250)).map(({ source, name }, index) =>
    createRange(source, name, { limit: index % 4, count: index % 2 === 0 }),
  ),
  checks: fill(pickEvenly(createChecks(known), 400)),
  tokens: fill([...pickEvenly([...known.model.tokens.keys()], 200), 'an unknown digest']),
})

/** Declares the tests of a store that contains known records, and that rejects every write. */
export const describeKnownRecords = (suite: StoreSuite, known: KnownRecords): void => {
  describeKnownItems(suite, known)
  describeKnownLists(suite, known)
  describeKnownRequests(suite, known)
  describeKnownReaders(suite, known)
  describeRejectedWrites(suite, known)
}

const describeKnownItems = ({ test }: StoreSuite, known: KnownRecords): void => {
  test('each node is returned by position, and each missing id as undefined', store =>
    assertItems(store, known, [...known.ids, ...known.missingIds, ...known.ids.slice(0, 2)], nodes => ({
      nodes,
    })))

  test('a read that needs some fields returns at least those, of nodes and of entries', async store => {
    const request = createLargeRequest(known)
    for (const fields of createWantedFields(known)) await assertRead(store, known, { ...request, fields })
  })

  test('each token is returned by position, and each unknown digest as undefined', store =>
    assertItems(store, known, [...known.model.tokens.keys(), 'an unknown digest', ''], tokens => ({
      tokens,
    })))

  test('each check returns whether its edge exists, also with another source, name, target or direction', store =>
    assertItems(store, known, createChecks(known), checks => ({ checks })))
}

const describeKnownLists = (suite: StoreSuite, known: KnownRecords): void => {
  const { test } = suite
  const lists = known.pickLists(LIST_COUNT)

  test('each list is complete and in order, in either direction, with its count', store => {
    const ranges = known.lists.flatMap(({ source, name, edges }) =>
      (['oldest', 'newest'] as const).map(direction =>
        createRange(source, name, { direction, limit: edges.length + 1 }),
      ),
    )
    return assertItems(store, known, ranges, ranges => ({ ranges }))
  })

  test('a list of an unknown source or name is empty, and its count is 0', async store => {
    const [firstId = EXTREME_IDS[known.idKind].smallest] = known.ids
    const sources = [...known.missingIds, firstId]
    const ranges = sources.flatMap(source => known.unknownNames.map(name => createRange(source, name)))
    const knownNames = known.lists.map(({ name }) => name).slice(0, LIST_COUNT)
    ranges.push(...known.missingIds.flatMap(source => knownNames.map(name => createRange(source, name))))
    await assertItems(store, known, ranges, ranges => ({ ranges }))
  })

  test('a range of any direction, position, times and limit returns the result of a scan of all edges', store =>
    assertItems(store, known, lists.flatMap(createRanges), ranges => ({ ranges })))

  test('pages of any limit together contain the whole list, in either direction', async store => {
    for (const { source, name, edges } of lists) {
      for (const limit of new Set([3, Math.ceil(edges.length / 3), edges.length])) {
        // Small pages of a long list would take too many reads.
        if (edges.length / limit > 100) continue
        for (const direction of ['oldest', 'newest'] as const)
          await assertPagesJoin(store, { source, name, direction, limit })
        await assertDirectionsAgree(store, { source, name, limit })
      }
    }
  })

  const listsWithKeys = lists.filter(({ hasKeys }) => hasKeys)
  if (listsWithKeys.length > 0) describeKnownKeys(suite, listsWithKeys)
}

/** Keys that a caller may make up. Many columns cannot hold them. */
const MADE_UP_KEYS = ['', ' ', '0', '-1', 'null', "a'b", '\u0000', '9'.repeat(500), '\u{1F600}'.repeat(125)]

const describeKnownKeys = ({ test }: StoreSuite, lists: readonly KnownList[]): void => {
  test('a range from a key that a caller made up returns edges of the list, or is invalid_parameter', async store => {
    for (const { source, name, edges } of lists)
      for (const [index, key] of MADE_UP_KEYS.entries()) {
        const { time, target = source } = edges[index % edges.length] ?? { time: 0 }
        const range = createRange(source, name, { from: { time, target, key }, limit: edges.length })
        const targets = await store.read({ ranges: [range] }).then(
          ({ ranges }) => ranges.flatMap(({ entries }) => entries.map(entry => entry.target)),
          error => (isGraphError(error) && error.reason === 'invalid_parameter' ? [] : Promise.reject(error)),
        )
        if (!targets.every(found => edges.some(({ target }) => target === found)))
          fail(`expected edges of the list from ${JSON.stringify(range.from)}; received ${targets}`)
      }
  })
}

const describeKnownRequests = ({ test }: StoreSuite, known: KnownRecords): void => {
  test(`a read of ${LARGE_READ_SIZE} nodes, ranges, checks and tokens returns each result by position`, store =>
    assertRead(store, known, createLargeRequest(known)))

  test('an empty request returns an empty result', store => assertRead(store, known, {}))

  test('each duplicate in a request has its own result', store => {
    const { nodes, ranges, checks, tokens } = createLargeRequest(known)
    const repeat = <T>(items: readonly T[]): T[] => [...items.slice(0, 3), ...items.slice(0, 3)]
    return assertRead(store, known, {
      nodes: repeat(nodes),
      ranges: repeat(ranges),
      checks: repeat(checks),
      tokens: repeat(tokens),
    })
  })

  test('concurrent reads return the results of their own requests', async store => {
    const requests = known.pickLists(LIST_COUNT).map(({ source, name, edges }, index) => ({
      nodes: [source],
      ranges: [createRange(source, name, { limit: index + 1 })],
      checks: edges
        .slice(index, index + 2)
        .map(({ source, name, target }) => ({ source, name, target, data: index % 2 === 0 })),
    }))
    await Promise.all(requests.map(request => assertRead(store, known, request)))
  })
}

const describeKnownReaders = ({ fc, test, snapshotTest }: StoreSuite, known: KnownRecords): void => {
  test('changing a result does not change later results', async store => {
    const request = createLargeRequest(known)
    mutateDeep(await store.read(request))
    await assertRead(store, known, request)
  })

  test('a read with minRevision "newest" returns the same results', async store => {
    await assertRead(store.newestReader, known, createLargeRequest(known))
  })

  test('any request returns the same result as the reference model', async (store, { runs }) => {
    const property = fc.asyncProperty(createKnownRequestArbitrary(fc, known), request =>
      assertRead(store, known, request),
    )
    await fc.assert(property, { numRuns: runs })
  })

  snapshotTest('a snapshot returns the same results as its store', async store => {
    const { reader, close } = await store.snapshot()
    await assertRead(reader, known, createLargeRequest(known))
    await close()
    await assertRead(store, known, createLargeRequest(known))
  })
}

const describeRejectedWrites = ({ test }: StoreSuite, known: KnownRecords): void => {
  test('a write is rejected, and changes nothing', async store => {
    const request = createLargeRequest(known)
    const [existingId = '1', missingId = '2'] = [known.ids[0], known.missingIds[0]]
    for (const mutation of [putNode(missingId), { op: 'deleteNode', id: existingId }] as const)
      await assertRejects(() => store.write(mutation), `the write ${JSON.stringify(mutation)}`)
    await assertRead(store, known, request)
    await assertRead(store, known, { nodes: [existingId, missingId] })
  })
}
