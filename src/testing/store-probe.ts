import type { NodeId } from '../base/ids.ts'
import type { Session } from '../base/session.ts'
import type { BatchId } from '../store/conditional.ts'
import type {
  EdgeRange,
  EdgeRecord,
  NodeRecord,
  RangeResult,
  Store,
  StoreCapabilities,
  StoreReader,
  StoreReadOptions,
  StoreReadRequest,
  StoreReadResult,
  TokenRecord,
  WantedFields,
} from '../store/contract.ts'
import type { StoreMutation } from '../store/mutations.ts'
import { fail } from './assertions.ts'
import { withoutKeys, withReturnedPosition } from './position-keys.ts'
import { createRange } from './records.ts'

/** The maximum number of reads that continue an incomplete result. */
const MAX_CONTINUATIONS = 100

/** How a probe reads. */
type ProbeOptions = {
  /** The session of all calls, for a store that reads by session. */
  readonly session?: Session | undefined
  /** Whether results contain the keys of positions. Default false: most tests do not expect any. */
  readonly keepsKeys?: boolean | undefined
}

/** Reads a store or a snapshot with partial requests. */
export class ReaderProbe {
  readonly capabilities: StoreCapabilities
  readonly #reader: StoreReader
  readonly #createOptions: () => StoreReadOptions
  readonly #toExpectedForm: (result: RangeResult) => RangeResult

  constructor(
    reader: StoreReader,
    capabilities: StoreCapabilities,
    getMinRevision: () => string | undefined,
    { session, keepsKeys = false }: ProbeOptions = {},
  ) {
    this.#reader = reader
    this.capabilities = capabilities
    this.#toExpectedForm = keepsKeys ? result => result : withoutKeys
    this.#createOptions = () => ({
      signal: undefined,
      deadline: undefined,
      minRevision: getMinRevision(),
      ...(session && { session }),
    })
  }

  async read({
    nodes = [],
    nodesAhead,
    ranges = [],
    checks = [],
    tokens = [],
    flags,
    fields,
  }: Partial<StoreReadRequest>): Promise<StoreReadResult> {
    const givenRanges = ranges.every(({ from }) => from === undefined)
      ? ranges
      : await Promise.all(
          ranges.map(range => withReturnedPosition(this.#reader, this.#createOptions(), range)),
        )
    const request = {
      nodes,
      ranges: givenRanges,
      checks,
      tokens,
      fields,
      ...(flags && { flags }),
      ...(nodesAhead && { nodesAhead }),
    }
    const result = await this.#reader.read(request, this.#createOptions())
    if (this.capabilities.atomicity === 'batch')
      return result.ranges.some(({ lastExamined }) => lastExamined?.key !== undefined)
        ? { ...result, ranges: result.ranges.map(this.#toExpectedForm) }
        : result
    const rangeResults = result.ranges.map(async (rangeResult, index) =>
      this.#toExpectedForm(await this.#readUntilLimit(givenRanges[index], rangeResult, fields)),
    )
    return { ...result, ranges: await Promise.all(rangeResults) }
  }

  async readNode(id: NodeId): Promise<NodeRecord | undefined> {
    return (await this.read({ nodes: [id] })).nodes[0]
  }

  async hasEdge(source: NodeId, name: string, target: NodeId): Promise<boolean | EdgeRecord | undefined> {
    return (await this.read({ checks: [{ source, name, target }] })).checks[0]
  }

  /** Returns the record of an edge, or the result of the store if it is no record. */
  async readEdge(source: NodeId, name: string, target: NodeId): Promise<boolean | EdgeRecord | undefined> {
    return (await this.read({ checks: [{ source, name, target, data: true }] })).checks[0]
  }

  async readToken(digest: string): Promise<TokenRecord | undefined> {
    return (await this.read({ tokens: [digest] })).tokens[0]
  }

  /** Reads the whole list, oldest first, with its count, except for the overrides. */
  async readList(source: NodeId, name: string, overrides?: Partial<EdgeRange>): Promise<RangeResult> {
    const { ranges } = await this.read({ ranges: [createRange(source, name, overrides)] })
    return ranges[0] ?? fail('expected a result for the range of a read')
  }

  /**
   * Continues an incomplete result from its end. A store that is atomic by source may return such results.
   */
  async #readUntilLimit(
    range: EdgeRange | undefined,
    rangeResult: RangeResult,
    fields: WantedFields | undefined,
  ): Promise<RangeResult> {
    let joinedResult = rangeResult
    for (
      let continuationCount = 0;
      range !== undefined && joinedResult.hasMore && joinedResult.entries.length < range.limit;
      continuationCount++
    ) {
      if (continuationCount === MAX_CONTINUATIONS)
        return fail('a result stays incomplete after many continuations')
      const remainingRange = {
        ...range,
        from: joinedResult.lastExamined,
        limit: range.limit - joinedResult.entries.length,
        count: false,
      }
      const { ranges } = await this.#reader.read(
        { nodes: [], ranges: [remainingRange], checks: [], tokens: [], fields },
        this.#createOptions(),
      )
      const nextResult = ranges[0] ?? fail('expected a result for the range of a read')
      joinedResult = {
        ...nextResult,
        entries: [...joinedResult.entries, ...nextResult.entries],
        total: joinedResult.total,
        lastExamined: nextResult.lastExamined ?? joinedResult.lastExamined,
      }
    }
    return joinedResult
  }
}

/** A snapshot of a store. The caller must close it. */
export type SnapshotProbe = { readonly reader: ReaderProbe; readonly close: () => Promise<void> }

/** Writes to a store and reads from it. Each read uses the revision of the last write. */
export class StoreProbe extends ReaderProbe {
  /** A reader whose reads have no revision of a write, and must see all earlier writes. */
  readonly newestReader: ReaderProbe
  readonly #store: Store
  readonly #options: ProbeOptions
  readonly #lastWrite: { revision: string | undefined }

  constructor(store: Store, options: ProbeOptions = {}) {
    const lastWrite: { revision: string | undefined } = { revision: undefined }
    super(store, store.capabilities, () => lastWrite.revision, options)
    this.newestReader = new ReaderProbe(store, store.capabilities, () => 'newest', options)
    this.#store = store
    this.#options = options
    this.#lastWrite = lastWrite
  }

  /** Returns a probe of the same store with another session, or without one. */
  withSession(session: Session | undefined): StoreProbe {
    return new StoreProbe(this.#store, { ...this.#options, session })
  }

  async write(...mutations: readonly StoreMutation[]): Promise<void> {
    const { revision } = await this.#store.write(mutations, { signal: undefined, ...this.#sessionOption })
    this.#lastWrite.revision = revision
  }

  /** Writes a batch with an id. */
  async writeOnce(batch: BatchId, ...mutations: readonly StoreMutation[]): Promise<void> {
    const options = { signal: undefined, batch, ...this.#sessionOption }
    const { revision } = await this.#store.write(mutations, options)
    this.#lastWrite.revision = revision
  }

  async snapshot(): Promise<SnapshotProbe> {
    const snapshot = await this.#store.snapshot(this.#sessionOption)
    const { revision } = this.#lastWrite
    return {
      reader: new ReaderProbe(snapshot, this.capabilities, () => revision, this.#options),
      close: async () => await snapshot.close(),
    }
  }

  get #sessionOption(): { readonly session: Session } | undefined {
    const { session } = this.#options
    return session && { session }
  }
}
