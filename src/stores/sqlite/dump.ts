import type { NodeId } from '../../base/ids.ts'
import { type DumpRecord, toDumpLine } from '../dump-lines.ts'
import { prepareJsonQuery, type SqliteDatabase } from './connection.ts'

/** Records per statement: enough to make the cost of statements insignificant, and few enough for memory. */
const PAGE_SIZE = 1000

type KeyedRecord<TKey> = readonly [key: TKey, record: DumpRecord]

const NODES_SQL = `
  select group_concat(
    '["' || id || '",{"node":{"id":"' || id || '","type":' || type || ',"fields":' || fields || '}}]'
  ) as result
  from (select * from nodes where id > ? order by id limit ${PAGE_SIZE})`

type EdgePageKey = readonly [source: NodeId, name: number, time: number, target: NodeId]

const EDGES_SQL = `
  select group_concat(
    '[["' || source || '",' || name || ',' || time || ',"' || target || '"],{"edge":{"source":"' || source
    || '","name":' || (select text from names where id = name) || ',"target":"' || target || '","time":' || time
    || case when data is null then '' else ',"data":' || data end || '}}]'
  ) as result
  from (
    select * from edges where (source, name, time, target) > (?, ?, ?, ?)
    order by source, name, time, target limit ${PAGE_SIZE}
  )`

/** Reads page after page, each from the last key of the one before, and formats their records as lines. */
function* readLines<TKey>(
  readPage: (key: TKey) => readonly KeyedRecord<TKey>[],
  keyBeforeFirst: TKey,
): Generator<string> {
  let page = readPage(keyBeforeFirst)
  while (page.length > 0) {
    for (const [, record] of page) yield toDumpLine(record)
    const [lastKey] = page.at(-1) ?? []
    page = lastKey === undefined ? [] : readPage(lastKey)
  }
}

/** Generates all nodes, then all edges, as lines of NDJSON. */
export function* dumpLines(database: SqliteDatabase): Generator<string> {
  const readNodePage = prepareJsonQuery<KeyedRecord<NodeId>>(database, NODES_SQL)
  const readEdgePage = prepareJsonQuery<KeyedRecord<EdgePageKey>>(database, EDGES_SQL)
  yield* readLines(id => readNodePage(BigInt(id)), '0')
  yield* readLines<EdgePageKey>(
    ([source, name, time, target]) => readEdgePage(BigInt(source), name, time, BigInt(target)),
    ['0', 0, 0, '0'],
  )
}
