import type {
  EdgeCheck,
  EdgeEntry,
  EdgeRange,
  EdgeRecord,
  NodeRecord,
  RangeResult,
  Store,
  StoreReadOptions,
  StoreReadRequest,
  StoreReadResult,
} from '../../src/store/contract.ts'
import { EMPTY_REQUEST } from '../../src/store/requests.ts'
import { withWantedFields } from '../../src/store/wanted-fields.ts'
import type { TableModel } from '../../src/tables/model/table-model.ts'
import { readWithConditions } from '../../src/testing/apply-conditions.ts'
import { readWithAhead } from '../../src/testing/attach-ahead.ts'
import { createRange } from '../../src/testing/records.ts'

type List = { readonly entries: readonly EdgeEntry[]; readonly total: number | undefined }

const keyOf = ({ source, name }: { readonly source: string; readonly name: string }): string =>
  `${source} ${name}`

/**
 * The nodes and whole lists of a store over tables. It executes any read with loops over them, so it says what the
 * statement of the read must return.
 */
export class ListReference {
  readonly nodes = new Map<string, NodeRecord>()
  readonly lists = new Map<string, List & { readonly source: string; readonly name: string }>()

  /** Reads nodes one by one, and their lists as a whole. */
  static async create(
    store: Store,
    model: TableModel,
    ids: readonly string[],
    options: StoreReadOptions,
  ): Promise<ListReference> {
    const reference = new ListReference()
    const readList = async (source: string, name: string): Promise<void> => {
      const range = createRange(source, name, { direction: 'oldest', limit: 1000, count: true })
      const { ranges } = await store.read({ ...EMPTY_REQUEST, ranges: [range] }, options)
      const { entries = [], total } = ranges[0] ?? {}
      reference.lists.set(keyOf({ source, name }), { source, name, entries, total })
    }
    for (const id of ids) {
      const { nodes } = await store.read({ ...EMPTY_REQUEST, nodes: [id] }, options)
      const [node] = nodes
      if (node === undefined) continue
      reference.nodes.set(id, node)
      for (const name of model.types.get(node.type)?.lists.keys() ?? []) await readList(id, name)
    }
    for (const name of model.collections.keys()) await readList('root', name)
    return reference
  }

  /** Executes a request. Lists are counted under their conditions too. */
  read(request: StoreReadRequest): StoreReadResult {
    const readOnce = (one: StoreReadRequest) =>
      readWithConditions(plain => this.#readPlain(plain), one, { counts: true })
    return withWantedFields(readWithAhead(readOnce, request), request)
  }

  #readPlain({ nodes, ranges, checks }: StoreReadRequest): StoreReadResult {
    return {
      nodes: nodes.map(id => this.nodes.get(id)),
      ranges: ranges.map(range => this.#readRange(range)),
      checks: checks.map(check => this.#readCheck(check)),
      tokens: [],
    }
  }

  #readRange(range: EdgeRange): RangeResult {
    const { direction, from, minTime, maxTime, limit, count } = range
    const list = this.lists.get(keyOf(range))
    const ordered = direction === 'oldest' ? (list?.entries ?? []) : (list?.entries.toReversed() ?? [])
    const start = from === undefined ? 0 : 1 + ordered.findIndex(({ target }) => target === from.target)
    const isInWindow = ({ time, key }: EdgeEntry): boolean =>
      key !== 'null' && time >= (minTime ?? -8.64e15) && time <= (maxTime ?? 8.64e15)
    const hasWindow = minTime !== undefined || maxTime !== undefined
    const rest = ordered.slice(start).filter(entry => !hasWindow || isInWindow(entry))
    const entries = rest.slice(0, limit)
    const last = entries.at(-1)
    return {
      entries,
      hasMore: limit > 0 && rest.length > limit,
      lastExamined: last && {
        time: last.time,
        target: last.target,
        ...(last.key !== undefined && { key: last.key }),
      },
      total: count ? (list === undefined ? 0 : list.total) : undefined,
    }
  }

  #readCheck(check: EdgeCheck): boolean | EdgeRecord {
    const { source, name, target, data: hasData } = check
    const entry = this.lists.get(keyOf(check))?.entries.find(one => one.target === target)
    if (entry === undefined || hasData !== true) return entry !== undefined
    const { time, data } = entry
    return { source, name, target, time, ...(data !== undefined && { data }) }
  }
}
