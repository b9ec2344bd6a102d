import { createModelStore, describeReadOnlyStore, describeStore, type StoreRecords } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../src/store/contract.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { shuffle } from '../../../src/testing/read-only/known-records.ts'
import { renameRecords, toMutations } from '../../../src/testing/read-only/store-records.ts'
import { createNode, createToken } from '../../../src/testing/records.ts'
import { aheadSabotages } from '../../helpers/sabotage/ahead-sabotages.ts'
import {
  type CollectedTest,
  collectDeclared,
  findFirstFailure,
} from '../../helpers/sabotage/collecting-runner.ts'
import { createNamedModelStore, namedIdSabotages } from '../../helpers/sabotage/named-id-sabotages.ts'
import { rangeConditionSabotages } from '../../helpers/sabotage/range-condition-sabotages.ts'
import { rangeSabotages } from '../../helpers/sabotage/range-sabotages.ts'
import { type Sabotage, sabotageModel } from '../../helpers/sabotage/sabotage.ts'
import { storeSabotages } from '../../helpers/sabotage/store-sabotages.ts'

const WRITE = { signal: undefined }
const NEIGHBOURS = ['1', '2', '9', '10', '100', '9007199254740992', '9007199254740993', '9223372036854775806']
const LEAVES = Array.from({ length: 150 }, (_, index) => `${1000 + index}`)

/** Few records: a list with equal times and ids of any order, a list with times around 0, and a longer list. */
const records: StoreRecords = {
  nodes: ['5', ...NEIGHBOURS, ...LEAVES].map(id => createNode(id, { list: [id] })),
  edges: [
    ...NEIGHBOURS.map(target => ({ source: '5', name: 'likes', target, time: target === '9' ? -40 : 20 })),
    ...[-50, -1, 0, 1].map((time, index) => ({
      source: '5',
      name: 'events',
      target: `${1000 + index}`,
      time,
    })),
    ...LEAVES.map((target, time) => ({ source: '9', name: 'leaves', target, time, data: { time } })),
  ],
  tokens: ['abc', 'ABC'].map(digest => ({ digest, token: createToken(digest) })),
}

const rejectWrite = () => {
  throw new Error('This store is read-only')
}

/** Creates the store of a sabotage with the given records. */
const fill = async (store: Store, { nodes, edges, tokens }: StoreRecords): Promise<Store> => {
  await store.open()
  await store.write(toMutations({ nodes, edges, tokens }), WRITE)
  return delegateStore(store, { open: () => undefined, write: rejectWrite })
}

const collectKnown = (create: () => Store | Promise<Store>, known = records) =>
  collectDeclared(runner => describeReadOnlyStore(runner, { name: 'known', create, records: known }), 100)

const collectPrepared = (create: (records: StoreRecords) => Store | Promise<Store>, keepsTokens?: boolean) =>
  collectDeclared(runner => describeReadOnlyStore(runner, { name: 'prepared', create, keepsTokens }), 5)

/** Defects of reads. The others are defects of writes, or occur only in longer lists. */
const READ_SECTIONS = ['ranges', 'counts', 'reads', 'nodes', 'checks', 'immutability']
const WRITE_DEFECTS = ['a count that is never updated', 'records that are kept without a copy']
const readSabotages = [...rangeSabotages, ...storeSabotages].filter(
  ({ section, name }) => READ_SECTIONS.includes(section) && !WRITE_DEFECTS.includes(name),
)

const otherSabotages: readonly Sabotage[] = [
  sabotageModel('tokens that are not found', 'tokens', store => ({
    read: (request, options) => store.read({ ...request, tokens: request.tokens.map(() => '') }, options),
  })),
  sabotageModel('a snapshot without edges', 'snapshots', store => ({
    snapshot: async () => {
      const snapshot = await store.snapshot()
      return {
        ...snapshot,
        read: (request, options) =>
          snapshot.read(
            { ...request, ranges: request.ranges.map(range => ({ ...range, name: '' })) },
            options,
          ),
      }
    },
  })),
  sabotageModel('concurrent reads with the result of the last one', 'reads', store => {
    let last: Parameters<Store['read']>[0]
    return {
      read: async (request, options) => {
        last = request
        await Promise.resolve()
        return store.read(last, options)
      },
    }
  }),
]

describe('the suite of read-only stores, for a store with one defect', () => {
  for (const { name, create } of [...readSabotages, ...otherSabotages])
    it(`fails with known records: ${name}`, async () => {
      expect(await findFirstFailure(collectKnown(() => fill(create(), records)))).toBeDefined()
    })

  it('fails if a write succeeds', async () => {
    const create = async () => {
      const { write: _, ...filled } = await fill(createModelStore(), records)
      return { ...filled, write: () => ({ revision: undefined }) }
    }
    expect(await findFirstFailure(collectKnown(create))).toContain('a write is rejected')
  })

  it('fails if a write that throws changes a node', async () => {
    const create = async () => {
      const store = createModelStore()
      const write: Store['write'] = async (mutations, options) => {
        await store.write(mutations, options)
        return rejectWrite()
      }
      return delegateStore(await fill(store, records), { write })
    }
    expect(await findFirstFailure(collectKnown(create))).toContain('a write is rejected')
  })

  for (const { name, section, create } of [...aheadSabotages, ...rangeConditionSabotages])
    it(`fails with prepared records: ${name}`, async () => {
      const tests = collectPrepared(given => fill(create(), given)).filter(test => test.section === section)
      expect(await findFirstFailure(tests)).toBeDefined()
    })

  it('fails if the store does not contain the records of each test', async () => {
    const tests = collectPrepared(() => fill(createModelStore(), records))
    expect(await findFirstFailure(tests)).toContain('a new store is empty')
  })

  it('fails if a store that keeps no tokens returns one', async () => {
    const token = createToken('demo')
    const create = async (given: StoreRecords) => {
      const store = await fill(createModelStore(), given)
      const read: Store['read'] = async (request, options) => ({
        ...(await store.read(request, options)),
        tokens: request.tokens.map(() => token),
      })
      return delegateStore(store, { read })
    }
    expect(await findFirstFailure(collectPrepared(create, false))).toContain(
      'tokens of a store that keeps none',
    )
  })

  it('passes without the defect, with known records', async () => {
    expect(await findFirstFailure(collectKnown(() => fill(createModelStore(), records)))).toBeUndefined()
  })

  it('passes without the defect, with and without tokens', async () => {
    for (const keepsTokens of [true, false]) {
      const tests = collectPrepared(given => fill(createModelStore(), given), keepsTokens)
      const short = tests.filter(({ section }) => !['long lists', 'hubs', 'known records'].includes(section))
      expect(await findFirstFailure(short)).toBeUndefined()
    }
  })
})

describe('the suite of read-only stores, for a store of named ids', () => {
  const isShort = ({ section }: CollectedTest) => !['long lists', 'hubs', 'known records'].includes(section)

  for (const { name, section, create } of namedIdSabotages)
    it(`fails with prepared records: ${name}`, async () => {
      const tests = collectPrepared(given => fill(create(), given)).filter(test => test.section === section)
      expect(await findFirstFailure(tests)).toBeDefined()
    })

  it('fails with known records whose ids the store compares as numbers', async () => {
    const [sabotage] = namedIdSabotages.filter(({ name }) => name === 'ids compared as numbers')
    const ids = ['user-9', 'user-10', 'user-1']
    const named: StoreRecords = {
      nodes: ids.map(id => createNode(id)),
      edges: ids.map(target => ({ source: 'user-1', name: 'likes', target, time: 0 })),
      tokens: [],
    }
    const create = () => fill((sabotage?.create ?? createModelStore)(), named)
    expect(await findFirstFailure(collectKnown(create, named))).toContain('user-10')
    const correct = () => fill(createNamedModelStore(), named)
    expect(await findFirstFailure(collectKnown(correct, named))).toBeUndefined()
  })

  it('passes without the defect, with known and with prepared records', async () => {
    const named = renameRecords(records)
    const create = () => fill(createNamedModelStore(), named)
    expect(await findFirstFailure(collectKnown(create, named))).toBeUndefined()
    const tests = collectPrepared(given => fill(createNamedModelStore(), given))
    expect(await findFirstFailure(tests.filter(isShort))).toBeUndefined()
  })
})

describe('the suite of read-only stores', () => {
  it('reads each record, whatever their number is, in a time that grows with their number', () => {
    for (const count of [0, 1, 2, 100, 7919, 2 * 7919, 300_000]) {
      const items = Array.from({ length: count }, (_, index) => index)
      expect(new Set(shuffle(items)).size).toBe(count)
    }
  })

  it('rejects a number of runs that would test nothing, as the suite of all stores does', () => {
    for (const runs of [0, 1.5, Number.NaN]) {
      const message = `"runs" must be an integer of at least 1; received ${runs}`
      const store = { name: 'model', create: createModelStore }
      expect(() => collectDeclared(runner => describeStore(runner, store), runs)).toThrow(
        `describeStore: ${message}`,
      )
      expect(() => collectDeclared(runner => describeReadOnlyStore(runner, store), runs)).toThrow(
        `describeReadOnlyStore: ${message}`,
      )
    }
  })

  it('rejects records with an edge whose end is missing', () => {
    const edge = { source: '1', name: 'likes', target: '4', time: 0 }
    const given = { nodes: [createNode('1')], edges: [edge], tokens: [] }
    const declare = () =>
      collectDeclared(runner =>
        describeReadOnlyStore(runner, { name: 'given', create: createModelStore, records: given }),
      )
    expect(declare).toThrow(
      new TypeError(
        'describeReadOnlyStore: "records.edges[0]" must be an edge between nodes of the records; received the id "4"',
      ),
    )
  })

  it('has the tests about reads of the suite for all stores', () => {
    const sections = new Map<string, number>()
    const writable = new Set(
      collectDeclared(runner => describeStore(runner, { name: 'model', create: createModelStore })).map(
        ({ section, name }) => `${section}: ${name}`,
      ),
    )
    const tests = collectPrepared(createModelStore)
    for (const { section, name } of tests)
      if (writable.has(`${section}: ${name}`)) sections.set(section, (sections.get(section) ?? 0) + 1)
    expect(Object.fromEntries(sections)).toEqual({
      lifecycle: 2,
      nodes: 3,
      edges: 6,
      ranges: 15,
      counts: 4,
      checks: 3,
      immutability: 1,
      text: 5,
      reads: 5,
      hubs: 1,
      'long lists': 1,
      'named ids': 2,
      'reading ahead': 4,
      'conditions of ranges': 3,
      tokens: 6,
    })
  })
})
