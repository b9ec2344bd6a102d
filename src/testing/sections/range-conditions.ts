import type { IdKind, NodeId } from '../../base/ids.ts'
import type { Condition, EdgeRange } from '../../store/contract.ts'
import { assertEqual } from '../assertions.ts'
import { createRange, putEdge, putNode } from '../records.ts'
import { toNamedId } from '../renamed-ids.ts'
import type { StoreProbe } from '../store-probe.ts'
import type { StoreSuite, TestBody } from '../store-suite.ts'
import { readPassingTargets } from './conditional-results.ts'

const SOURCE = '5'
const VIEWER = '7'
const INDEXES = Array.from({ length: 12 }, (_, index) => index)
const toTarget = (index: number): NodeId => `${20 + index}`

/** A list of 12 nodes: half of them of the kind `a`, a third of the owner 1, who is a friend of the viewer. */
const createMutations = (ids: IdKind) => {
  const refOf = (id: NodeId): string => (ids === 'named' ? toNamedId(id) : id)
  return [
    ...[SOURCE, VIEWER, '1', '2'].map(id => putNode(id)),
    ...INDEXES.map(index =>
      putNode(toTarget(index), {
        kind: index % 2 === 0 ? 'a' : 'b',
        level: index === 4 ? '1' : index,
        owner: index % 3 === 0 ? refOf('1') : index === 1 ? 'no id' : refOf('2'),
      }),
    ),
    ...INDEXES.map(index => putEdge(SOURCE, 'likes', toTarget(index), Math.floor(index / 3))),
    putEdge(VIEWER, 'friends', '1'),
    putEdge(toTarget(4), 'tagged', VIEWER, 0, { role: 'editor' }),
    putEdge(toTarget(5), 'tagged', VIEWER, 0, { role: 'reader' }),
    putEdge(toTarget(6), 'tagged', VIEWER),
  ]
}

type Case = { readonly conditions: readonly Condition[]; passes(index: number): boolean }

const CASES: readonly Case[] = [
  { conditions: [], passes: () => false },
  { conditions: [{ kind: 'field', field: 'kind', anyOf: ['a', 'c'] }], passes: index => index % 2 === 0 },
  { conditions: [{ kind: 'field', field: 'level', anyOf: [1, 4] }], passes: index => index === 1 },
  { conditions: [{ kind: 'field', field: 'missing', anyOf: ['a'] }], passes: () => false },
  { conditions: [{ kind: 'node', id: toTarget(3) }], passes: index => index === 3 },
  { conditions: [{ kind: 'node', of: 'owner', id: '1' }], passes: index => index % 3 === 0 },
  {
    conditions: [{ kind: 'edge', name: 'friends', of: 'owner', from: VIEWER }],
    passes: index => index % 3 === 0,
  },
  { conditions: [{ kind: 'edge', name: 'tagged', to: VIEWER }], passes: index => index > 3 && index < 7 },
  {
    conditions: [{ kind: 'edge', name: 'tagged', to: VIEWER, where: { role: ['editor', 'owner'] } }],
    passes: index => index === 4,
  },
  {
    conditions: [
      { kind: 'edge', name: 'tagged', to: VIEWER, where: { role: 'reader' } },
      { kind: 'field', field: 'kind', anyOf: ['a'] },
    ],
    passes: index => index === 5 || index % 2 === 0,
  },
]

/** Reads the whole list under conditions, and returns its targets. */
const readAll = async (
  store: StoreProbe,
  range: Pick<EdgeRange, 'conditions' | 'direction' | 'limit' | 'maxExamined'>,
): Promise<readonly NodeId[]> => {
  const { direction } = range
  const list = await store.readList(SOURCE, 'likes', { direction, limit: INDEXES.length })
  return readPassingTargets(store, { source: SOURCE, name: 'likes', ...range }, list.entries)
}

/** Tests ranges with conditions, for stores that receive them. */
export const describeRangeConditions = ({ test: declare }: StoreSuite): void => {
  const test = (name: string, body: TestBody): void =>
    declare(name, async (store, context) => {
      if (store.capabilities.conditions !== true) return
      await store.write(...createMutations(context.ids))
      await body(store, context)
    })

  test('the entries that pass are returned, in the order of the list, for any limits', async store => {
    for (const { conditions, passes } of CASES) {
      const expected = INDEXES.filter(passes).map(toTarget)
      for (const direction of ['oldest', 'newest'] as const)
        for (const [limit, maxExamined] of [
          [1, 100],
          [3, 2],
          [12, 12],
          [2, 5],
          [12, 1],
        ] as const) {
          const targets = await readAll(store, { conditions, direction, limit, maxExamined })
          const inOrder = direction === 'oldest' ? expected : expected.toReversed()
          assertEqual(targets, inOrder, `${JSON.stringify(conditions)}, ${direction} first`)
        }
    }
  })

  test('a count under conditions is that of the entries that pass, or absent', async store => {
    for (const { conditions, passes } of CASES) {
      const range = {
        ...createRange(SOURCE, 'likes', { limit: 3, count: true }),
        conditions,
        maxExamined: 100,
      }
      const { ranges } = await store.read({ ranges: [range] })
      const passing = ranges[0]?.passing
      if (passing !== undefined)
        assertEqual(passing, INDEXES.filter(passes).length, JSON.stringify(conditions))
      assertEqual(ranges[0]?.total, INDEXES.length, 'the size of the whole list')
    }
  })

  test('ranges with and without conditions may be in one read', async store => {
    const plain = createRange(SOURCE, 'likes', { limit: 12 })
    const ranges = CASES.flatMap(({ conditions }) => [plain, { ...plain, conditions, maxExamined: 100 }])
    const result = await store.read({ ranges })
    for (const [index, { passes }] of CASES.entries()) {
      assertEqual(result.ranges[2 * index]?.entries.length, 12, 'the entries without conditions')
      const targets = result.ranges[2 * index + 1]?.entries.map(({ target }) => target)
      assertEqual(targets, INDEXES.filter(passes).map(toTarget), 'the entries that pass')
    }
  })
}
