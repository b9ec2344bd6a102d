import type { NodeId } from '../../base/ids.ts'
import { type DumpRecord, divideIntoPages, RECORDS_PER_SIZE_READ, toDumpLine } from '../dump-lines.ts'
import { prepareJsonQuery, type SqliteDatabase, type SqliteValue } from './connection.ts'
import type { SqliteIdColumn } from './id-column.ts'

type KeyedRecord<TKey> = readonly [key: TKey, record: DumpRecord]

const NEXT_NODES_SQL = 'select * from nodes where id > ? order by id limit ?'

const NODE_SIZES_SQL = `select group_concat(length(fields)) as result from (${NEXT_NODES_SQL})`

const NODES_SQL = `
  select group_concat(
    '["' || id || '",{"node":{"id":"' || id || '","type":' || type || ',"fields":' || fields || '}}]'
  ) as result
  from (${NEXT_NODES_SQL})`

type EdgePageKey = readonly [source: NodeId, name: number, time: number, target: NodeId]

/** Selects edges, but no entries of collections and orders. */
const NEXT_EDGES_SQL = `
  select * from edges where (source, name, time, target) > (?, ?, ?, ?)
  and name not in (select id from names where instr(text, '#') > 0)
  order by source, name, time, target limit ?`

const EDGE_SIZES_SQL = `
  select group_concat(coalesce(length(data), 0)) as result from (${NEXT_EDGES_SQL})`

const EDGES_SQL = `
  select group_concat(
    '[["' || source || '",' || name || ',' || time || ',"' || target || '"],{"edge":{"source":"' || source
    || '","name":' || (select text from names where id = name) || ',"target":"' || target || '","time":' || time
    || case when data is null then '' else ',"data":' || data end || '}}]'
  ) as result
  from (${NEXT_EDGES_SQL})`

/** A table of the dump. It is read in the order of a key. */
type DumpTable<TKey> = {
  /** A key that is lower than all existing keys. */
  readonly keyBeforeFirst: TKey
  readonly toParameters: (key: TKey, ids: SqliteIdColumn) => readonly SqliteValue[]
  readonly sizesSql: string
  readonly recordsSql: string
}

const NODE_TABLE: DumpTable<NodeId> = {
  keyBeforeFirst: '0',
  toParameters: (id, { toParameter }) => [toParameter(id)],
  sizesSql: NODE_SIZES_SQL,
  recordsSql: NODES_SQL,
}

const EDGE_TABLE: DumpTable<EdgePageKey> = {
  // The source 0 has the entries of collections. Every id of either kind is at least 1, and no name has the id 0.
  keyBeforeFirst: ['1', 0, 0, '0'],
  toParameters: ([source, name, time, target], { toParameter }) => [
    toParameter(source),
    name,
    time,
    toParameter(target),
  ],
  sizesSql: EDGE_SIZES_SQL,
  recordsSql: EDGES_SQL,
}

/** Reads page after page, each after the last key of the previous page, and formats the records as lines. */
function* readLines<TKey>(
  database: SqliteDatabase,
  ids: SqliteIdColumn,
  { keyBeforeFirst, toParameters, sizesSql, recordsSql }: DumpTable<TKey>,
): Generator<string> {
  const readSizes = prepareJsonQuery<number>(database, sizesSql)
  const readRecords = prepareJsonQuery<KeyedRecord<TKey>>(database, recordsSql)
  let lastKey = keyBeforeFirst
  for (;;) {
    const counts = divideIntoPages(readSizes(...toParameters(lastKey, ids), RECORDS_PER_SIZE_READ))
    if (counts.length === 0) return
    for (const count of counts) {
      for (const [key, record] of readRecords(...toParameters(lastKey, ids), count)) {
        yield toDumpLine(record)
        lastKey = key
      }
    }
  }
}

/** Generates all nodes, then all edges, as lines of NDJSON. */
export function* dumpLines(database: SqliteDatabase, ids: SqliteIdColumn): Generator<string> {
  yield* readLines(database, ids, NODE_TABLE)
  yield* readLines(database, ids, EDGE_TABLE)
}
