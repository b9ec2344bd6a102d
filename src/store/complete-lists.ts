import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import { GraphError } from '../base/errors.ts'
import type {
  CompletionFlag,
  EdgeRange,
  NodeRecord,
  Store,
  StoreReader,
  StoreReadOptions,
  StoreReadRequest,
  StoreReadResult,
  StoreWriteOptions,
} from './contract.ts'
import { ROOT_ID } from './derived-entries.ts'
import { EMPTY_REQUEST, isEmptyRequest, UNTIMED_OPTIONS } from './requests.ts'

/** The completion flags of a list of derived entries. */
export type ListFlags = {
  /** The list in words, for errors: `the order top of comments`. */
  readonly description: string
  /** All of them are set when the list contains the entries of all records. */
  readonly flags: readonly CompletionFlag[]
}

/** The completion flags of a schema's lists, by their keys. */
export type FlagsByList = ReadonlyMap<string, ListFlags>

/** Returns the key of a list: the name of an order, or that of a collection after the source of collections. */
export const listKeyOf = ({ source, name }: Pick<EdgeRange, 'source' | 'name'>): string =>
  source === ROOT_ID ? `${ROOT_ID}.${name}` : name

const incompleteError = ({ description }: ListFlags): GraphError =>
  new GraphError(
    'store_error',
    `(#2) The store does not contain ${description} completely; to build it, run npx kithgraph collect URL --schema FILE`,
  )

const chain = <T, TResult>(value: Awaitable<T>, use: (value: T) => Awaitable<TResult>): Awaitable<TResult> =>
  isPromiseLike(value) ? value.then(use) : use(value)

const NO_LISTS: readonly string[] = Object.freeze([])

const EMPTY_RESULT: StoreReadResult = Object.freeze({ nodes: [], ranges: [], checks: [], tokens: [] })

const ROOT_RECORD: NodeRecord = Object.freeze({ id: ROOT_ID, type: ROOT_ID, fields: Object.freeze({}) })

/** Executes a read in which the source of collections is a node. */
const readWithRoot = (
  reader: StoreReader,
  request: StoreReadRequest,
  options: StoreReadOptions,
): Awaitable<StoreReadResult> => {
  if (!request.nodes.includes(ROOT_ID)) return reader.read(request, options)
  const nodes = request.nodes.filter(id => id !== ROOT_ID)
  const nodesAhead = request.nodesAhead?.filter((_, index) => request.nodes[index] !== ROOT_ID)
  const storedRequest = { ...request, nodes, nodesAhead }
  const read = isEmptyRequest(storedRequest) ? EMPTY_RESULT : reader.read(storedRequest, options)
  return chain(read, result => {
    let index = 0
    return {
      ...result,
      nodes: request.nodes.map(id => (id === ROOT_ID ? ROOT_RECORD : result.nodes[index++])),
    }
  })
}

/** The lists that are known to be complete. */
class KnownFlags {
  readonly #flagsByList: FlagsByList
  /** The lists whose flags are not known to be set. */
  readonly #unknownLists: Set<string>
  /** Whether the flags of one session say nothing about those of another. */
  readonly #isBySession: boolean

  constructor(flagsByList: FlagsByList, isBySession: boolean) {
    this.#flagsByList = flagsByList
    this.#isBySession = isBySession
    this.#unknownLists = new Set(flagsByList.keys())
  }

  /**
   * Executes a read. Asserts that the lists that it reads are complete, with the same request.
   *
   * @throws GraphError `store_error` for a list that is not complete.
   */
  read(
    reader: StoreReader,
    request: StoreReadRequest,
    options: StoreReadOptions,
  ): Awaitable<StoreReadResult> {
    const lists = this.#unknownLists.size === 0 ? NO_LISTS : this.#findUnknownLists(request)
    if (lists.length === 0) return readWithRoot(reader, request, options)
    const flags = lists.flatMap(list => this.#flagsByList.get(list)?.flags ?? [])
    return chain(readWithRoot(reader, { ...request, flags }, options), result => {
      this.#assertComplete(lists, new Set(flags.filter((_, index) => result.flags?.[index])))
      if (this.#isBySession) return result
      // A store without nodes has all flags, but they are not set. Then another process may write first.
      for (const [index, range] of request.ranges.entries())
        if ((result.ranges[index]?.entries.length ?? 0) > 0) this.#unknownLists.delete(listKeyOf(range))
      return result
    })
  }

  /** Returns the lists of a request, and those of its checks, whose flags are not known to be set. */
  #findUnknownLists({ ranges, checks }: StoreReadRequest): readonly string[] {
    const lists = new Set<string>()
    for (const range of ranges) lists.add(listKeyOf(range))
    for (const check of checks) if (check.source === ROOT_ID) lists.add(listKeyOf(check))
    return [...lists].filter(list => this.#unknownLists.has(list))
  }

  #assertComplete(lists: readonly string[], setFlags: ReadonlySet<CompletionFlag>): void {
    for (const list of lists) {
      const listFlags = this.#flagsByList.get(list)
      if (listFlags?.flags.some(flag => !setFlags.has(flag))) throw incompleteError(listFlags)
    }
  }
}

/**
 * Wraps a store with the node of collections and the completion of lists. A read of a list of derived entries
 * that is not complete fails. The first write of a process into an empty store sets all flags in its batch,
 * because this and all later writes keep the lists. In a store that reads by session, each session has its own
 * flags: each read of such a list and each write reads them again.
 */
export const withCompleteLists = (store: Store, flagsByList: FlagsByList, hasCollections: boolean): Store => {
  if (flagsByList.size === 0 && !hasCollections) return store
  const isBySession = store.capabilities.bySession === true
  // Tokens are all that such a store writes. Its lists are complete without flags.
  const isReadOnly = (store.capabilities.writes ?? 'all') !== 'all'
  const knownFlags = new KnownFlags(flagsByList, isBySession)
  const flags = [...flagsByList.values()].flatMap(list => list.flags)
  let hasWritten = false
  const findFlagsToSet = ({ signal, session }: StoreWriteOptions): Awaitable<readonly CompletionFlag[]> => {
    if (isReadOnly || flags.length === 0 || (hasWritten && !isBySession)) return []
    const options = { ...UNTIMED_OPTIONS, signal, minRevision: 'newest', ...(session && { session }) }
    return chain(store.read({ ...EMPTY_REQUEST, flags }, options), result =>
      flags.filter((_, index) => result.flags?.[index]),
    )
  }
  return {
    capabilities: store.capabilities,
    open: () => store.open(),
    close: () => store.close(),
    read: (request, options) => knownFlags.read(store, request, options),
    write: (mutations, options) =>
      chain(findFlagsToSet(options), flagsToSet => {
        const flagMutations = flagsToSet.map(flag => ({ op: 'putFlag', flag }) as const)
        return chain(store.write([...mutations, ...flagMutations], options), result => {
          hasWritten = true
          return result
        })
      }),
    snapshot: options =>
      chain(store.snapshot(options), snapshot => ({
        read: (request, options) => knownFlags.read(snapshot, request, options),
        close: () => snapshot.close(),
      })),
  }
}
