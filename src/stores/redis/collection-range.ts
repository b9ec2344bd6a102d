import type { EdgeKey, EdgeRange } from '../../store/contract.ts'
import { ROOT_ID } from '../../store/derived-entries.ts'
import { parseEntrySuffix, parseEntryText, toEntrySuffix } from './collection-entries.ts'
import { createCommand, parseListReply } from './commands.ts'
import { GENERATION_BYTES, parseGeneration, toMember } from './encoding.ts'
import {
  type CompletePage,
  createRowsCommand,
  decodeRows,
  type EdgeRow,
  type FoundNodes,
  NO_DATA,
  type RangePage,
} from './range.ts'
import type { RedisKeys } from './redis-keys.ts'
import type { RoundTrip } from './round-trip.ts'
import { type Shards, shardOf } from './shards.ts'

/**
 * Returns the number of rows that are read from each shard for a page and one row more. Ids are distributed
 * evenly, so a shard almost never has more of these rows. If one does, the page is shorter, and has more.
 */
const rowsPerShard = (limit: number, shardCount: number): number => {
  const mean = (limit + 1) / shardCount
  return Math.min(limit + 1, Math.ceil(mean + 5 * Math.sqrt(mean) + 4))
}

/** Compares rows by time, then by target. Members of the same length begin with the padded id. */
const compareRows = (a: EdgeRow, b: EdgeRow): number => {
  if (a.time !== b.time) return a.time - b.time
  if (a.member === b.member) return 0
  return a.member < b.member ? -1 : 1
}

/**
 * Merges the rows of all shards, each in the direction of the range. A shard with `count` rows may have more, so
 * rows from the last of its rows on are not certain.
 */
const mergeRows = (
  { direction, limit }: EdgeRange,
  rowsByShard: readonly (readonly EdgeRow[])[],
  count: number,
): Pick<RangePage, 'rows' | 'hasMore'> => {
  const compare = direction === 'newest' ? (a: EdgeRow, b: EdgeRow) => compareRows(b, a) : compareRows
  const rows = rowsByShard.flat().sort(compare)
  const [bound] = rowsByShard.flatMap(shardRows => shardRows[count - 1] ?? []).sort(compare)
  const certainRows = bound === undefined ? rows : rows.slice(0, rows.indexOf(bound))
  const page = certainRows.slice(0, limit)
  return { rows: page, hasMore: rows.length > page.length }
}

/** Enqueues reads of the entries of a collection in all shards, and of their counts. */
export const enqueueCollectionRange = (
  roundTrip: RoundTrip,
  keys: RedisKeys,
  shards: Shards,
  range: EdgeRange,
): (() => CompletePage) => {
  const { name, direction, limit } = range
  const lists = shards.map(tag => keys.shardList(tag, name))
  const totals = lists.map(list =>
    range.count ? roundTrip.enqueue(createCommand('zcard', list)) : () => undefined,
  )
  const count = rowsPerShard(limit, shards.length)
  const replies =
    limit === 0 ? [] : lists.map(list => roundTrip.enqueue(createRowsCommand(list, range, count)))
  return () => {
    const rowsByShard = replies.map(readCells => {
      const rows = decodeRows(parseListReply(readCells()))
      return direction === 'newest' ? rows.reverse() : rows
    })
    const total = range.count ? totals.reduce((sum, readTotal) => sum + Number(readTotal()), 0) : undefined
    return { range, total, data: NO_DATA, ...mergeRows(range, rowsByShard, count) }
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
): ((page: RangePage, row: EdgeRow, nodes: FoundNodes) => boolean) => {
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
  checks: readonly EdgeKey[],
): (() => readonly boolean[]) => {
  const readers = checks.map(({ name, target }) => [
    roundTrip.enqueue(createCommand('getrange', keys.node(target), `${-GENERATION_BYTES}`, '-1')),
    roundTrip.enqueue(createCommand('hget', keys.entries(target), name)),
    roundTrip.enqueue(
      createCommand('hget', keys.shardEntries(shardOf(shards, target), name), toMember(target)),
    ),
  ])
  return () =>
    readers.map(cells => {
      const [recordEnd = '', text = '', suffix = ''] = cells.map(readCell => String(readCell() ?? ''))
      const { number, time } = parseEntryText(text)
      if (recordEnd === '' || time === '') return false
      return suffix === toEntrySuffix({ generation: parseGeneration(recordEnd), number })
    })
}
