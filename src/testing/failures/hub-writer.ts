import { isGraphError } from '../../base/errors.ts'
import type { NodeId } from '../../base/ids.ts'
import type { NodeRecord, RangeResult, Store, StoreReadResult } from '../../store/contract.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { assertEqual, fail } from '../assertions.ts'
import { createEmptyModel, type Model, readModel, writeModel } from '../model.ts'
import {
  createNode,
  createRange,
  deleteEdge,
  incrementNode,
  putEdge,
  putNode,
  withCondition,
  withMirror,
} from '../records.ts'
import { ReaderProbe } from '../store-probe.ts'
import { recover, sleep } from './timing.ts'

/** The distance between the ids of two writers, more than the batches that a writer writes. */
const IDS_PER_WRITER = 10_000_000
/** The time that a server may need to end the writes of a failed connection, in milliseconds. */
const SETTLING_MS = 100
/** The number of nodes in one read, so that no read has more than 500 ranges. */
const NODES_PER_READ = 150

/** The node with a counter of the batches of each writer, so that all writers change one node. */
const COUNTERS: NodeId = '1'
/** For how long a store remembers an increment: longer than any test. */
const KEEP_MS = 3_600_000

const counterOf = (writer: number): string => `batches_of_${writer}`
const hubOf = (writer: number): NodeId => `${writer * IDS_PER_WRITER}`
const leafOf = (writer: number, batch: number): NodeId => `${writer * IDS_PER_WRITER + batch}`

/**
 * Creates a batch of a writer. It has mutations of every kind: it writes its number to the hub of the writer,
 * adds a node with a plain and a mirrored edge, and changes or deletes what earlier batches wrote. It may be
 * written twice, and its mutations may be written in any order of nodes and edges.
 */
const createHubBatch = (writer: number, batch: number): readonly StoreMutation[] => {
  const hub = hubOf(writer)
  const leaf = leafOf(writer, batch)
  const earlierLeaf = (distance: number): NodeId => leafOf(writer, batch - distance)
  const mutations: StoreMutation[] = [
    { op: 'putNode', node: createNode(hub, { batch }) },
    { op: 'putNode', node: createNode(leaf, { batch }) },
    putEdge(hub, 'leaves', leaf, batch),
    withMirror(putEdge(hub, 'friends', leaf, batch, { batch }), 'friends'),
  ]
  if (batch > 1) mutations.push({ op: 'patchNode', id: earlierLeaf(1), fields: { patchedBy: batch } })
  if (batch > 2) mutations.push(withMirror(deleteEdge(hub, 'friends', earlierLeaf(2)), 'friends'))
  if (batch > 4 && batch % 3 === 0) mutations.push({ op: 'deleteNode', id: earlierLeaf(4) })
  return mutations
}

/** Puts the node with the counters, unless another writer has put it. */
const createCounters = async (store: Store): Promise<void> => {
  try {
    await store.write([withCondition(putNode(COUNTERS), { exists: false })], { signal: undefined })
  } catch (error) {
    if (!isGraphError(error) || error.reason !== 'conflict') throw error
  }
}

/**
 * Writes a batch of a writer, and counts it if the store supports increments. The increment has an id, so that
 * the batch can be written again after a failure, and is counted once.
 */
export const writeHubBatch = async (store: Store, writer: number, batch: number): Promise<void> => {
  await store.write(createHubBatch(writer, batch), { signal: undefined })
  if (!store.capabilities.conditionalWrites) return
  if (batch === 1) await createCounters(store)
  const id = `batch ${batch} of writer ${writer}`
  await store.write([incrementNode(COUNTERS, counterOf(writer), 1)], {
    signal: undefined,
    batch: { id, digest: id, keepMs: KEEP_MS },
  })
}

const targetsOf = ({ entries }: RangeResult): readonly NodeId[] => entries.map(({ target }) => target)

const toText = (node: NodeRecord | undefined): string => JSON.stringify(node) ?? 'undefined'

/** The batches of one writer: those that the store acknowledged, and one that may be written or not. */
export class HubWriter {
  readonly #writer: number
  #model: Model = createEmptyModel()
  /** The number of acknowledged batches that the model contains. */
  #modelledCount = 0
  #acknowledgedCount = 0
  /** Whether the next batch may have been written, because its write failed. */
  #isNextUncertain = false

  constructor(writer: number) {
    this.#writer = writer
  }

  get acknowledgedCount(): number {
    return this.#acknowledgedCount
  }

  /** Writes the next batch, or writes it again if the last attempt failed. */
  async writeNext(store: Store): Promise<void> {
    this.#isNextUncertain = true
    await writeHubBatch(store, this.#writer, this.#acknowledgedCount + 1)
    this.acknowledge()
  }

  /** Counts the next batch as acknowledged. */
  acknowledge(): void {
    this.#acknowledgedCount++
    this.#isNextUncertain = false
  }

  /** Counts the next batch as one that may be written or not. */
  markNextUncertain(): void {
    this.#isNextUncertain = true
  }

  /**
   * Asserts that the store contains the acknowledged batches. A batch whose write failed is there as a whole
   * or not at all; if the atomicity is `source`, parts of it may be there until it is written again. If the
   * store supports increments, each batch is counted once.
   */
  async assertWritten(store: Store): Promise<void> {
    await this.#assertRecords(store)
    if (store.capabilities.conditionalWrites) await this.#assertCounter(store)
  }

  async #assertRecords(store: Store): Promise<void> {
    const results = await this.#read(store)
    const model = this.#updateModel()
    const before = this.#readModel(model)
    if (!this.#isNextUncertain) return assertEqual(results, before, `the batches of writer ${this.#writer}`)
    const after = this.#readModel(writeModel(model, this.#nextBatch))
    if (store.capabilities.atomicity === 'source') return assertBetween(results, before, after)
    const isWritten = results[0]?.nodes[0]?.fields.batch === this.#acknowledgedCount + 1
    const label = `the acknowledged batches of writer ${this.#writer}, and all or nothing of the next one`
    assertEqual(results, isWritten ? after : before, label)
  }

  async #assertCounter(store: Store): Promise<void> {
    const reader = new ReaderProbe(store, store.capabilities, () => 'newest')
    const count = (await reader.readNode(COUNTERS))?.fields[counterOf(this.#writer)] ?? 0
    const acknowledged = this.#acknowledgedCount
    const isCounted = this.#isNextUncertain && count === acknowledged + 1
    assertEqual(count, isCounted ? acknowledged + 1 : acknowledged, `the counter of writer ${this.#writer}`)
  }

  /** Adds the acknowledged batches to the model all at once, because each write copies the model. */
  #updateModel(): Model {
    const batches = Array.from({ length: this.#acknowledgedCount - this.#modelledCount }, (_, index) =>
      createHubBatch(this.#writer, this.#modelledCount + index + 1),
    )
    this.#model = writeModel(this.#model, batches.flat())
    this.#modelledCount = this.#acknowledgedCount
    return this.#model
  }

  get #nextBatch(): readonly StoreMutation[] {
    return createHubBatch(this.#writer, this.#acknowledgedCount + 1)
  }

  /** Requests for everything that the batches wrote, including the next one. The hub is the first node. */
  #createRequests() {
    const leaves = Array.from({ length: this.#acknowledgedCount + 1 }, (_, index) =>
      leafOf(this.#writer, index + 1),
    )
    const ids = [hubOf(this.#writer), ...leaves]
    return Array.from({ length: Math.ceil(ids.length / NODES_PER_READ) }, (_, index) => {
      const nodes = ids.slice(index * NODES_PER_READ, (index + 1) * NODES_PER_READ)
      const limit = ids.length + 1
      const ranges = nodes.flatMap(id => ['leaves', 'friends'].map(name => createRange(id, name, { limit })))
      return { nodes, ranges, checks: [], tokens: [] }
    })
  }

  #read(store: Store): Promise<readonly StoreReadResult[]> {
    const reader = new ReaderProbe(store, store.capabilities, () => 'newest')
    return Promise.all(this.#createRequests().map(request => reader.read(request)))
  }

  #readModel(model: Model): readonly StoreReadResult[] {
    return this.#createRequests().map(request => readModel(model, request))
  }
}

/**
 * Asserts that the store contains the acknowledged batches of a writer after a failure. Waits before it reads,
 * because a server may still be writing, and a batch that is written again would hide what it leaves. Reads
 * again if it finds a part of a batch, because a read of several steps can overlap the write.
 */
export const assertSettled = async (writer: HubWriter, store: Store, timeoutMs: number): Promise<void> => {
  await sleep(SETTLING_MS)
  await recover(() => writer.assertWritten(store), timeoutMs, 'a read of the batches')
}

/** Asserts that each node and edge has the state before or after a batch. Counts may lag. */
const assertBetween = (
  results: readonly StoreReadResult[],
  before: readonly StoreReadResult[],
  after: readonly StoreReadResult[],
): void => {
  results.forEach(({ nodes, ranges }, index) => {
    nodes.forEach((node, nodeIndex) => {
      const states = [before, after].map(result => toText(result[index]?.nodes[nodeIndex]))
      if (!states.includes(toText(node)))
        fail(`expected the node ${states.join(' or ')}; received ${toText(node)}`)
    })
    ranges.forEach((range, rangeIndex) => {
      const states = [before, after].map(result => result[index]?.ranges[rangeIndex] ?? range)
      const [first = [], second = []] = states.map(targetsOf)
      const found = targetsOf(range)
      const lost = first.filter(target => second.includes(target) && !found.includes(target))
      const extra = found.filter(target => !first.includes(target) && !second.includes(target))
      assertEqual({ lost, extra }, { lost: [], extra: [] }, 'the edges that only the failed batch changes')
    })
  })
}
