import type { EdgeCheck, EdgeRange, EdgeRecord } from '../../store/contract.ts'
import { ROOT_ID } from '../../store/derived-entries.ts'
import { parseEntrySuffix, parseEntryText, toEntrySuffix } from './collection-entries.ts'
import { createCommand, parseListReply } from './commands.ts'
import { GENERATION_BYTES, parseGeneration, parseMember, toMember } from './encoding.ts'
import {
  type CompletePage,
  createRowsCommand,
  type FoundNodes,
  type ListRow,
  NO_DATA,
  type RangePage,
} from './range.ts'
import type { RedisKeys } from './redis-keys.ts'
import type { RoundTrip } from './round-trip.ts'
import { type Shards, shardOf } from './shards.ts'

/**
 * Returns the number of rows that are read from each shard for a page and one row more. Ids are distributed
 * evenly, so about one page in 5,000 needs more rows of one shard. Such a page is shorter, and has more.
 */
const rowsPerShard = (limit: number, shardCount: number): number => {
  const mean = (limit + 1) / shardCount
  return Math.min(limit + 1, Math.ceil(mean + 4 * Math.sqrt(mean) + 2))
}

/** The rows of a shard, oldest first. Most rows are never decoded, because other shards have earlier ones. */
class ShardRows {
  readonly #cells: readonly unknown[]
  readonly #step: 2 | -2
  #at: number
  #time = 0
  #member = ''

  /** `cells` are alternating members and times. */
  constructor(cells: readonly unknown[], direction: EdgeRange['direction']) {
    this.#cells = cells
    this.#step = direction === 'newest' ? -2 : 2
    this.#at = direction === 'newest' ? cells.length - 2 : 0
    this.#decode()
  }

  get isEmpty(): boolean {
    return this.#at < 0 || this.#at >= this.#cells.length
  }

  /** Compares the next rows by time, then by target. Members of the same length begin with the padded id. */
  isOlderThan(other: ShardRows): boolean {
    return this.#time === other.#time ? this.#member < other.#member : this.#time < other.#time
  }

  take(): ListRow {
    const row = { target: parseMember(this.#member), time: this.#time, member: this.#member }
    this.#at += this.#step
    this.#decode()
    return row
  }

  #decode(): void {
    this.#member = String(this.#cells[this.#at] ?? '')
    this.#time = Number(this.#cells[this.#at + 1])
  }
}

/**
 * Merges the rows of all shards, in the direction of the range. A shard with `count` rows may have more, so the page
 * ends before its last row.
 */
const mergeRows = (
  { direction, limit }: EdgeRange,
  shards: readonly (readonly unknown[])[],
  count: number,
): Pick<RangePage, 'rows' | 'hasMore'> => {
  const unread = shards.flatMap(cells =>
    cells.length === 0
      ? []
      : { rows: new ShardRows(cells, direction), left: cells.length === 2 * count ? count - 1 : -1 },
  )
  const rows: ListRow[] = []
  for (;;) {
    let next: (typeof unread)[number] | undefined
    for (const shard of unread) {
      if (shard.rows.isEmpty) continue
      if (next === undefined || shard.rows.isOlderThan(next.rows) === (direction === 'oldest')) next = shard
    }
    if (next === undefined) return { rows, hasMore: false }
    if (rows.length === limit || next.left-- === 0) return { rows, hasMore: true }
    rows.push(next.rows.take())
  }
}

/** Enqueues reads of the entries of a collection in all shards, and of their counts. */
export const enqueueCollectionRange = (
  roundTrip: RoundTrip,
  keys: RedisKeys,
  shards: Shards,
  range: EdgeRange,
): (() => CompletePage) => {
  const { name, limit } = range
  const lists = shards.map(tag => keys.shardList(tag, name))
  const totals = lists.map(list =>
    range.count ? roundTrip.enqueue(createCommand('zcard', list)) : () => undefined,
  )
  const count = rowsPerShard(limit, shards.length)
  const replies =
    limit === 0 ? [] : lists.map(list => roundTrip.enqueue(createRowsCommand(list, range, count)))
  return () => {
    const shardCells = replies.map(readCells => parseListReply(readCells()))
    const total = range.count ? totals.reduce((sum, readTotal) => sum + Number(readTotal()), 0) : undefined
    return { range, total, data: NO_DATA, ...mergeRows(range, shardCells, count) }
  }
}

/**
 * Enqueues reads of the entries of the nodes in pages of collections, as the nodes require them. The returned
 * function says whether the entry of a row is the one that its node requires.
 */
export const enqueueRequiredEntries = (
  roundTrip: RoundTrip,
  keys: RedisKeys,
  pages: readonly RangePage[],
): ((page: RangePage, row: ListRow, nodes: FoundNodes) => boolean) => {
  const readers = new Map(
    pages
      .filter(({ range }) => range.source === ROOT_ID)
      .map(page => {
        const { name } = page.range
        const read = roundTrip.enqueueEach(
          page.rows.map(({ target }) => target),
          id => createCommand('hget', keys.entries(id), name),
        )
        return [page, read] as const
      }),
  )
  return (page, { target, member }, nodes) => {
    const text = String(readers.get(page)?.get(target)?.() ?? '')
    const { number } = parseEntryText(text)
    return parseEntrySuffix(member) === toEntrySuffix({ generation: nodes.generationOf(target), number })
  }
}

/** Enqueues checks of entries of collections, each both at its node and in its shard. */
export const enqueueCollectionChecks = (
  roundTrip: RoundTrip,
  keys: RedisKeys,
  shards: Shards,
  checks: readonly EdgeCheck[],
): (() => readonly (boolean | EdgeRecord)[]) => {
  const readers = checks.map(({ name, target }) => [
    roundTrip.enqueue(createCommand('getrange', keys.node(target), `${-GENERATION_BYTES}`, '-1')),
    roundTrip.enqueue(createCommand('hget', keys.entries(target), name)),
    roundTrip.enqueue(
      createCommand('hget', keys.shardEntries(shardOf(shards, target), name), toMember(target)),
    ),
  ])
  return () =>
    readers.map((cells, index) => {
      const [recordEnd = '', text = '', suffix = ''] = cells.map(readCell => String(readCell() ?? ''))
      const { number, time } = parseEntryText(text)
      if (recordEnd === '' || time === '') return false
      if (suffix !== toEntrySuffix({ generation: parseGeneration(recordEnd), number })) return false
      const check = checks[index]
      if (check?.data !== true) return true
      const { source, name, target } = check
      return { source, name, target, time: Number(time) }
    })
}
