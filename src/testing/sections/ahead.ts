import { type IdKind, isNodeId, type NodeId } from '../../base/ids.ts'
import type { AheadStep, NodeRecord, ReadAhead } from '../../store/contract.ts'
import { assertEqual } from '../assertions.ts'
import { createRange, putEdge, putNode } from '../records.ts'
import { toNamedId } from '../renamed-ids.ts'
import type { StoreProbe } from '../store-probe.ts'
import type { StoreSuite, TestBody } from '../store-suite.ts'

/** Escapes of these texts differ between JSON readers. A record with one of them need not be read ahead. */
const TEXTS = ['plain', '"', '\\u0000', '\u0001', '😀']

/** Returns the function that creates the values of refs. The probe does not rename values. */
const refsOf =
  (ids: IdKind) =>
  (id: NodeId): string =>
    ids === 'named' ? toNamedId(id) : id

/** Albums with photos, whose refs lead to an owner, to a missing node, or to no node. */
const createMutations = (refOf: (id: NodeId) => string) => [
  ...['1', '2'].map(id => putNode(id, { name: id, album: refOf('10') }, 'user')),
  ...['10', '11'].map((id, index) => putNode(id, { owner: refOf('1'), text: TEXTS[index] ?? '' }, 'album')),
  ...Array.from({ length: 7 }, (_, index) =>
    putNode(
      `${20 + index}`,
      {
        owner: [refOf('2'), refOf('1'), refOf('404'), 5, 'no id', refOf('1'), refOf('2')][index] ?? '',
        text: TEXTS[index] ?? '',
      },
      'photo',
    ),
  ),
  ...[20, 21, 22, 23, 24, 25].map(id => putEdge('10', 'photos', `${id}`, id < 23 ? 7 : id, { place: id })),
  putEdge('11', 'photos', '26', -1),
  putEdge('11', 'photos', '2', 5),
  ...[10, 11].map(id => putEdge('1', 'albums', `${id}`, id)),
  ...[20, 21, 22].map(id => putEdge('2', 'likes', `${id}`, 3)),
]

const list = (name: string, members: Partial<AheadStep & { kind: 'list' }> = {}): AheadStep => ({
  kind: 'list',
  name,
  direction: 'newest',
  limit: 3,
  count: false,
  ahead: undefined,
  ...members,
})

const ref = (field: string, ahead?: ReadAhead): AheadStep => ({ kind: 'ref', field, ahead })

const OWNER: ReadAhead = new Map([['user', [list('likes', { count: true }), ref('album')]]])
const PHOTO_STEPS = [ref('owner', OWNER)]
const HINTS: readonly ReadAhead[] = [
  new Map([['user', [list('albums')]]]),
  new Map([['user', [list('nothing', { count: true }), list('albums', { direction: 'oldest', limit: 1 })]]]),
  new Map([
    ['user', [list('likes', { ahead: new Map([['photo', PHOTO_STEPS]]) })]],
    ['album', [ref('owner'), list('photos', { limit: 6, count: true })]],
  ]),
  new Map([
    [
      'user',
      [
        list('albums', {
          direction: 'oldest',
          ahead: new Map([
            [
              'album',
              [
                list('photos', { limit: 5, count: true, ahead: new Map([['photo', PHOTO_STEPS]]) }),
                ref('owner'),
              ],
            ],
          ]),
        }),
      ],
    ],
  ]),
]

const withoutAhead = ({ id, type, fields }: NodeRecord): NodeRecord => ({ id, type, fields })

/** Asserts that each result that was read ahead of a record is the result of its own read. */
const assertAhead = async (
  store: StoreProbe,
  record: NodeRecord,
  ahead: ReadAhead | undefined,
  label: string,
): Promise<void> => {
  const steps = ahead?.get(record.type) ?? []
  if (record.ahead === undefined) return
  assertEqual(record.ahead.length, steps.length, `${label}: the number of results`)
  for (const [index, step] of steps.entries()) {
    const result = record.ahead[index]
    const name = `${label}, ${step.kind} ${step.kind === 'list' ? step.name : step.field}`
    if (result == null) continue
    if (step.kind === 'list') await assertListAhead(store, record.id, step, result, name)
    else {
      const target = record.fields[step.field]
      const expected = isNodeId(target) ? await store.readNode(target) : undefined
      const node = 'node' in result ? result.node : undefined
      assertEqual(node && withoutAhead(node), expected, name)
      if (node !== undefined) await assertAhead(store, node, step.ahead, name)
    }
  }
}

const assertListAhead = async (
  store: StoreProbe,
  source: NodeId,
  step: AheadStep & { kind: 'list' },
  result: NonNullable<NonNullable<NodeRecord['ahead']>[number]>,
  label: string,
): Promise<void> => {
  const { name, direction, limit, count, ahead } = step
  const expected = await store.readList(source, name, { direction, limit, count })
  const entries = 'entries' in result ? result.entries : []
  const plain = { ...result, entries: entries.map(entry => ({ ...entry, node: withoutAhead(entry.node) })) }
  assertEqual(plain, expected, label)
  for (const entry of entries) await assertAhead(store, entry.node, ahead, label)
}

const readHints = async (
  store: StoreProbe,
  ids: readonly NodeId[],
  hints: readonly ReadAhead[],
): Promise<void> => {
  const request = {
    nodes: ids,
    nodesAhead: ids.map((_, index) => hints[index % hints.length]),
    ranges: hints.map(ahead => ({ ...createRange('1', 'albums', { limit: 5 }), ahead })),
  }
  const result = await store.read(request)
  for (const [index, node] of result.nodes.entries())
    if (node !== undefined) await assertAhead(store, node, request.nodesAhead[index], `node ${node.id}`)
  for (const [index, { entries }] of result.ranges.entries())
    for (const { node } of entries)
      await assertAhead(store, node, request.ranges[index]?.ahead, `entry ${node.id} of range ${index}`)
}

/** Tests what a store attaches to its records. A store may ignore each hint. */
export const describeAhead = ({ test: declare }: StoreSuite): void => {
  const test = (name: string, body: TestBody): void =>
    declare(name, async (store, context) => {
      if (store.capabilities.readsAhead === true) await body(store, context)
    })

  test('a result that is read ahead is the result of its own read', async (store, { ids }) => {
    await store.write(...createMutations(refsOf(ids)))
    for (const hint of HINTS) await readHints(store, ['1', '2', '10', '1', '404'], [hint])
  })

  test('each node and range has the results of its own hint', async (store, { ids }) => {
    await store.write(...createMutations(refsOf(ids)))
    await readHints(store, ['1', '1', '1', '1', '2', '10'], HINTS)
  })

  test('a hint changes no other part of the result', async (store, { ids }) => {
    await store.write(...createMutations(refsOf(ids)))
    const ranges = [
      createRange('10', 'photos', { limit: 3, count: true }),
      createRange('1', 'albums', { limit: 1 }),
    ]
    const plain = await store.read({ nodes: ['1', '404', '10'], ranges })
    const hinted = await store.read({
      nodes: ['1', '404', '10'],
      nodesAhead: HINTS,
      ranges: ranges.map(range => ({ ...range, ahead: HINTS[2] })),
    })
    assertEqual(
      {
        ...hinted,
        nodes: hinted.nodes.map(node => node && withoutAhead(node)),
        ranges: hinted.ranges.map(result => ({
          ...result,
          entries: result.entries.map(entry => ({ ...entry, node: withoutAhead(entry.node) })),
        })),
      },
      plain,
      'the result of a read with hints',
    )
  })
}
