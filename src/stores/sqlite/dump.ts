import type { NodeId } from '../../base/ids.ts'
import { type DumpRecord, dumpLine } from '../dump/dump-line.ts'
import type { SqliteDatabase } from './sqlite-client.ts'
import { prepareJsonQuery } from './statements.ts'

/** Records a statement: enough that statements count for little, and few enough to hold. */
const PAGE = 1000

type LineItem<TKey> = readonly [key: TKey, record: DumpRecord]

const NODES = `
  select group_concat(
    '["' || id || '",{"node":{"id":"' || id || '","type":' || type || ',"fields":' || fields || '}}]'
  ) as answer
  from (select * from nodes where id > ? order by id limit ${PAGE})`

type EdgeKey = readonly [source: NodeId, name: number, time: number, target: NodeId]

const EDGES = `
  select group_concat(
    '[["' || source || '",' || name || ',' || time || ',"' || target || '"],{"edge":{"source":"' || source
    || '","name":' || (select text from names where id = name) || ',"target":"' || target || '","time":' || time
    || case when data is null then '' else ',"data":' || data end || '}}]'
  ) as answer
  from (
    select * from edges where (source, name, time, target) > (?, ?, ?, ?)
    order by source, name, time, target limit ${PAGE}
  )`

/** Reads pages until there is none, each from the key where the last one ended, and answers their records as lines. */
function* linesOf<TKey>(pageFrom: (key: TKey) => readonly LineItem<TKey>[], first: TKey): Generator<string> {
  let page = pageFrom(first)
  while (page.length > 0) {
    for (const [, record] of page) yield dumpLine(record)
    const [last] = page.at(-1) ?? []
    page = last === undefined ? [] : pageFrom(last)
  }
}

/** All nodes, then all edges, as lines of NDJSON. */
export function* dumpLines(database: SqliteDatabase): Generator<string> {
  const nodesFrom = prepareJsonQuery<LineItem<NodeId>>(database, NODES)
  const edgesFrom = prepareJsonQuery<LineItem<EdgeKey>>(database, EDGES)
  yield* linesOf(id => nodesFrom(BigInt(id)), '0')
  yield* linesOf<EdgeKey>(
    ([source, name, time, target]) => edgesFrom(BigInt(source), name, time, BigInt(target)),
    ['0', 0, 0, '0'],
  )
}
