import { isNodeId, type NodeId } from '../../base/ids.ts'
import type { AheadStep, NodeRecord, RangeResult, ReadAhead } from '../../store/contract.ts'
import { assertEqual, fail } from '../assertions.ts'
import { createRange } from '../records.ts'
import type { StoreProbe } from '../store-probe.ts'
import type { StoreSuite, TestBody } from '../store-suite.ts'
import { CONDITIONAL_HINTS, createMutations, HINTS, refsOf } from './ahead-hints.ts'
import { assertExaminedRows, readPassingTargets } from './conditional-results.ts'
import { assertHeldCondition } from './held-conditions.ts'

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
      if (node === undefined) continue
      await assertHeldCondition(store, step.conditions, node)
      await assertAhead(store, node, step.ahead, name)
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
  const range =
    'entries' in result ? result : fail(`expected the result of a range; received a node: ${label}`)
  if (step.conditions === undefined) {
    const expected = await store.readList(source, name, { direction, limit, count })
    const entries = range.entries.map(entry => ({ ...entry, node: withoutAhead(entry.node) }))
    assertEqual({ ...range, entries }, expected, label)
  } else await assertConditionalList(store, source, step, range, label)
  for (const entry of range.entries) await assertAhead(store, entry.node, ahead, label)
}

/** Asserts that a list under conditions has the entries that reads of its own let pass. */
const assertConditionalList = async (
  store: StoreProbe,
  source: NodeId,
  { name, direction, limit, count, conditions, maxExamined }: AheadStep & { kind: 'list' },
  result: RangeResult,
  label: string,
): Promise<void> => {
  const { entries: rows, total } = await store.readList(source, name, { direction, limit: 100, count })
  const examined = assertExaminedRows(result, { limit, maxExamined }, rows)
  const own = { source, name, direction, conditions, limit: 100, maxExamined: 100 }
  const passing = await readPassingTargets(store, own, rows)
  assertEqual(
    result.entries.map(({ node, ...entry }) => ({ ...entry, node: withoutAhead(node) })),
    rows.slice(0, examined).filter(({ target }) => passing.includes(target)),
    label,
  )
  for (const { node } of result.entries) await assertHeldCondition(store, conditions, node)
  assertEqual(result.total, total, `${label}: the size of the whole list`)
  if (result.passing !== undefined) assertEqual(result.passing, passing.length, `${label}: its count`)
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

  test('a list that is read ahead under conditions has the entries that pass', async (store, { ids }) => {
    if (store.capabilities.conditions !== true) return
    await store.write(...createMutations(refsOf(ids)))
    for (const hint of CONDITIONAL_HINTS) await readHints(store, ['1', '2', '10', '11', '404'], [hint])
    await readHints(store, ['1', '10', '2', '11'], CONDITIONAL_HINTS)
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
