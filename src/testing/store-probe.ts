import type { NodeId } from '../base/ids.ts'
import type {
  EdgeRange,
  EdgeSlice,
  Mutation,
  NodeRecord,
  ReadOptions,
  Store,
  StoreCapabilities,
  StoreReader,
  TokenRecord,
  Wave,
  WaveAnswer,
} from '../store/contract.ts'
import { fail } from './assertions.ts'
import { rangeOf } from './records.ts'

/** A slice may be short more than once, but not forever. */
const MOST_PASSES = 100

/** Asks a store or a snapshot in fewer words: what a wave leaves out asks nothing. */
export class ReaderProbe {
  readonly capabilities: StoreCapabilities
  readonly #reader: StoreReader
  readonly #options: () => ReadOptions

  constructor(reader: StoreReader, capabilities: StoreCapabilities, atLeast: () => string | undefined) {
    this.#reader = reader
    this.capabilities = capabilities
    this.#options = () => ({ signal: undefined, deadline: undefined, atLeast: atLeast() })
  }

  async read({ nodes = [], ranges = [], tests = [], tokens = [] }: Partial<Wave>): Promise<WaveAnswer> {
    const answer = await this.#reader.read({ nodes, ranges, tests, tokens }, this.#options())
    if (this.capabilities.atomicity === 'batch') return answer
    const slices = answer.ranges.map((slice, index) => this.#completed(ranges[index], slice))
    return { ...answer, ranges: await Promise.all(slices) }
  }

  async node(id: NodeId): Promise<NodeRecord | undefined> {
    return (await this.read({ nodes: [id] })).nodes[0]
  }

  async has(source: NodeId, name: string, target: NodeId): Promise<boolean | undefined> {
    return (await this.read({ tests: [{ source, name, target }] })).tests[0]
  }

  async token(digest: string): Promise<TokenRecord | undefined> {
    return (await this.read({ tokens: [digest] })).tokens[0]
  }

  /** The whole list, oldest first, with its count, but for what is asked otherwise. */
  async list(source: NodeId, name: string, asked?: Partial<EdgeRange>): Promise<EdgeSlice> {
    const { ranges } = await this.read({ ranges: [rangeOf(source, name, asked)] })
    return ranges[0] ?? fail('a wave of one range answers no slice')
  }

  /** A store that is atomic by source may answer a slice that is short, and goes on from its end. */
  async #completed(range: EdgeRange | undefined, slice: EdgeSlice): Promise<EdgeSlice> {
    let whole = slice
    for (let pass = 0; range !== undefined && whole.more && whole.entries.length < range.limit; pass++) {
      if (pass === MOST_PASSES) return fail('a slice is short however often it is continued')
      const rest = { ...range, from: whole.end, limit: range.limit - whole.entries.length, count: false }
      const { ranges } = await this.#reader.read(
        { nodes: [], ranges: [rest], tests: [], tokens: [] },
        this.#options(),
      )
      const next = ranges[0] ?? fail('a wave of one range answers no slice')
      whole = {
        ...next,
        entries: [...whole.entries, ...next.entries],
        total: whole.total,
        end: next.end ?? whole.end,
      }
    }
    return whole
  }
}

/** A view of a store, to be closed by who took it. */
export type SnapshotProbe = { readonly view: ReaderProbe; readonly close: () => Promise<void> }

/** Writes to a store and asks it, each read at the version of the last write. */
export class StoreProbe extends ReaderProbe {
  /** Reads as one who knows of no write, and demands whatever was written before. */
  readonly newest: ReaderProbe
  readonly #store: Store
  readonly #written: { version: string | undefined }

  constructor(store: Store) {
    const written: { version: string | undefined } = { version: undefined }
    super(store, store.capabilities, () => written.version)
    this.newest = new ReaderProbe(store, store.capabilities, () => 'newest')
    this.#store = store
    this.#written = written
  }

  async write(...mutations: readonly Mutation[]): Promise<void> {
    const { version } = await this.#store.write(mutations, { signal: undefined })
    this.#written.version = version
  }

  async snapshot(): Promise<SnapshotProbe> {
    const snapshot = await this.#store.snapshot()
    const { version } = this.#written
    return {
      view: new ReaderProbe(snapshot, this.capabilities, () => version),
      close: async () => await snapshot.close(),
    }
  }
}
